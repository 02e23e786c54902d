# frozen_string_literal: true

class Prism::Reader
  # The kinds of nodes of the parser's serialized form, by their numbers from 1, and the fields of each.
  NODES = <<~KINDS.gsub(/\n +/, " ").lines.map { |kind| kind.split.freeze }.freeze
    AliasGlobalVariableNode new_name:node old_name:node keyword_loc:location
    AliasMethodNode new_name:node old_name:node keyword_loc:location
    AlternationPatternNode left:node right:node operator_loc:location
    AndNode left:node right:node operator_loc:location
    ArgumentsNode arguments:node[]
    ArrayNode elements:node[] opening_loc:location? closing_loc:location?
    ArrayPatternNode constant:node? requireds:node[] rest:node? posts:node[] opening_loc:location?
      closing_loc:location?
    AssocNode key:node value:node operator_loc:location?
    AssocSplatNode value:node? operator_loc:location
    BackReferenceReadNode name:constant
    BeginNode begin_keyword_loc:location? statements:node? rescue_clause:node? else_clause:node? ensure_clause:node?
      end_keyword_loc:location?
    BlockArgumentNode expression:node? operator_loc:location
    BlockLocalVariableNode name:constant
    BlockNode locals:constant[] parameters:node? body:node? opening_loc:location closing_loc:location
    BlockParameterNode name:constant? name_loc:location? operator_loc:location
    BlockParametersNode parameters:node? locals:node[] opening_loc:location? closing_loc:location?
    BreakNode arguments:node? keyword_loc:location
    CallAndWriteNode receiver:node? call_operator_loc:location? message_loc:location? read_name:constant
      write_name:constant operator_loc:location value:node
    CallNode receiver:node? call_operator_loc:location? name:constant message_loc:location? opening_loc:location?
      arguments:node? closing_loc:location? equal_loc:location? block:node?
    CallOperatorWriteNode receiver:node? call_operator_loc:location? message_loc:location? read_name:constant
      write_name:constant binary_operator:constant binary_operator_loc:location value:node
    CallOrWriteNode receiver:node? call_operator_loc:location? message_loc:location? read_name:constant
      write_name:constant operator_loc:location value:node
    CallTargetNode receiver:node call_operator_loc:location name:constant message_loc:location
    CapturePatternNode value:node target:node operator_loc:location
    CaseMatchNode predicate:node? conditions:node[] else_clause:node? case_keyword_loc:location
      end_keyword_loc:location
    CaseNode predicate:node? conditions:node[] else_clause:node? case_keyword_loc:location end_keyword_loc:location
    ClassNode locals:constant[] class_keyword_loc:location constant_path:node inheritance_operator_loc:location?
      superclass:node? body:node? end_keyword_loc:location name:constant
    ClassVariableAndWriteNode name:constant name_loc:location operator_loc:location value:node
    ClassVariableOperatorWriteNode name:constant name_loc:location binary_operator_loc:location value:node
      binary_operator:constant
    ClassVariableOrWriteNode name:constant name_loc:location operator_loc:location value:node
    ClassVariableReadNode name:constant
    ClassVariableTargetNode name:constant
    ClassVariableWriteNode name:constant name_loc:location value:node operator_loc:location
    ConstantAndWriteNode name:constant name_loc:location operator_loc:location value:node
    ConstantOperatorWriteNode name:constant name_loc:location binary_operator_loc:location value:node
      binary_operator:constant
    ConstantOrWriteNode name:constant name_loc:location operator_loc:location value:node
    ConstantPathAndWriteNode target:node operator_loc:location value:node
    ConstantPathNode parent:node? name:constant? delimiter_loc:location name_loc:location
    ConstantPathOperatorWriteNode target:node binary_operator_loc:location value:node binary_operator:constant
    ConstantPathOrWriteNode target:node operator_loc:location value:node
    ConstantPathTargetNode parent:node? name:constant? delimiter_loc:location name_loc:location
    ConstantPathWriteNode target:node operator_loc:location value:node
    ConstantReadNode name:constant
    ConstantTargetNode name:constant
    ConstantWriteNode name:constant name_loc:location value:node operator_loc:location
    DefNode name:constant name_loc:location receiver:node? parameters:node? body:node? locals:constant[]
      def_keyword_loc:location operator_loc:location? lparen_loc:location? rparen_loc:location? equal_loc:location?
      end_keyword_loc:location?
    DefinedNode lparen_loc:location? value:node rparen_loc:location? keyword_loc:location
    ElseNode else_keyword_loc:location statements:node? end_keyword_loc:location?
    EmbeddedStatementsNode opening_loc:location statements:node? closing_loc:location
    EmbeddedVariableNode operator_loc:location variable:node
    EnsureNode ensure_keyword_loc:location statements:node? end_keyword_loc:location
    ErrorRecoveryNode unexpected:node?
    FalseNode
    FindPatternNode constant:node? left:node requireds:node[] right:node opening_loc:location? closing_loc:location?
    FlipFlopNode left:node? right:node? operator_loc:location
    FloatNode value:double
    ForNode index:node collection:node statements:node? for_keyword_loc:location in_keyword_loc:location
      do_keyword_loc:location? end_keyword_loc:location
    ForwardingArgumentsNode
    ForwardingParameterNode
    ForwardingSuperNode keyword_loc:location block:node?
    GlobalVariableAndWriteNode name:constant name_loc:location operator_loc:location value:node
    GlobalVariableOperatorWriteNode name:constant name_loc:location binary_operator_loc:location value:node
      binary_operator:constant
    GlobalVariableOrWriteNode name:constant name_loc:location operator_loc:location value:node
    GlobalVariableReadNode name:constant
    GlobalVariableTargetNode name:constant
    GlobalVariableWriteNode name:constant name_loc:location value:node operator_loc:location
    HashNode opening_loc:location elements:node[] closing_loc:location
    HashPatternNode constant:node? elements:node[] rest:node? opening_loc:location? closing_loc:location?
    IfNode if_keyword_loc:location? predicate:node then_keyword_loc:location? statements:node? subsequent:node?
      end_keyword_loc:location?
    ImaginaryNode numeric:node
    ImplicitNode value:node
    ImplicitRestNode
    InNode pattern:node statements:node? in_keyword_loc:location then_keyword_loc:location?
    IndexAndWriteNode receiver:node? call_operator_loc:location? opening_loc:location arguments:node?
      closing_loc:location block:node? operator_loc:location value:node
    IndexOperatorWriteNode receiver:node? call_operator_loc:location? opening_loc:location arguments:node?
      closing_loc:location block:node? binary_operator:constant binary_operator_loc:location value:node
    IndexOrWriteNode receiver:node? call_operator_loc:location? opening_loc:location arguments:node?
      closing_loc:location block:node? operator_loc:location value:node
    IndexTargetNode receiver:node opening_loc:location arguments:node? closing_loc:location block:node?
    InstanceVariableAndWriteNode name:constant name_loc:location operator_loc:location value:node
    InstanceVariableOperatorWriteNode name:constant name_loc:location binary_operator_loc:location value:node
      binary_operator:constant
    InstanceVariableOrWriteNode name:constant name_loc:location operator_loc:location value:node
    InstanceVariableReadNode name:constant
    InstanceVariableTargetNode name:constant
    InstanceVariableWriteNode name:constant name_loc:location value:node operator_loc:location
    IntegerNode value:integer
    InterpolatedMatchLastLineNode opening_loc:location parts:node[] closing_loc:location
    InterpolatedRegularExpressionNode opening_loc:location parts:node[] closing_loc:location
    InterpolatedStringNode opening_loc:location? parts:node[] closing_loc:location?
    InterpolatedSymbolNode opening_loc:location? parts:node[] closing_loc:location?
    InterpolatedXStringNode opening_loc:location parts:node[] closing_loc:location
    ItLocalVariableReadNode
    ItParametersNode
    KeywordHashNode elements:node[]
    KeywordRestParameterNode name:constant? name_loc:location? operator_loc:location
    LambdaNode locals:constant[] operator_loc:location opening_loc:location closing_loc:location parameters:node?
      body:node?
    LocalVariableAndWriteNode name_loc:location operator_loc:location value:node name:constant depth:uint32
    LocalVariableOperatorWriteNode name_loc:location binary_operator_loc:location value:node name:constant
      binary_operator:constant depth:uint32
    LocalVariableOrWriteNode name_loc:location operator_loc:location value:node name:constant depth:uint32
    LocalVariableReadNode name:constant depth:uint32
    LocalVariableTargetNode name:constant depth:uint32
    LocalVariableWriteNode name:constant depth:uint32 name_loc:location value:node operator_loc:location
    MatchLastLineNode opening_loc:location content_loc:location closing_loc:location unescaped:string
    MatchPredicateNode value:node pattern:node keyword_loc:location
    MatchRequiredNode value:node pattern:node operator_loc:location
    MatchWriteNode call:node targets:node[]
    ModuleNode locals:constant[] module_keyword_loc:location constant_path:node body:node? end_keyword_loc:location
      name:constant
    MultiTargetNode lefts:node[] rest:node? rights:node[] lparen_loc:location? rparen_loc:location?
    MultiWriteNode lefts:node[] rest:node? rights:node[] lparen_loc:location? rparen_loc:location?
      operator_loc:location value:node
    NextNode arguments:node? keyword_loc:location
    NilNode
    NoBlockParameterNode operator_loc:location keyword_loc:location
    NoKeywordsParameterNode operator_loc:location keyword_loc:location
    NumberedParametersNode maximum:uint8
    NumberedReferenceReadNode number:uint32
    OptionalKeywordParameterNode name:constant name_loc:location value:node
    OptionalParameterNode name:constant name_loc:location operator_loc:location value:node
    OrNode left:node right:node operator_loc:location
    ParametersNode requireds:node[] optionals:node[] rest:node? posts:node[] keywords:node[] keyword_rest:node?
      block:node?
    ParenthesesNode body:node? opening_loc:location closing_loc:location
    PinnedExpressionNode expression:node operator_loc:location lparen_loc:location rparen_loc:location
    PinnedVariableNode variable:node operator_loc:location
    PostExecutionNode statements:node? keyword_loc:location opening_loc:location closing_loc:location
    PreExecutionNode statements:node? keyword_loc:location opening_loc:location closing_loc:location
    ProgramNode locals:constant[] statements:node
    RangeNode left:node? right:node? operator_loc:location
    RationalNode numerator:integer denominator:integer
    RedoNode
    RegularExpressionNode opening_loc:location content_loc:location closing_loc:location unescaped:string
    RequiredKeywordParameterNode name:constant name_loc:location
    RequiredParameterNode name:constant
    RescueModifierNode expression:node keyword_loc:location rescue_expression:node
    RescueNode keyword_loc:location exceptions:node[] operator_loc:location? reference:node? then_keyword_loc:location?
      statements:node? subsequent:node?
    RestParameterNode name:constant? name_loc:location? operator_loc:location
    RetryNode
    ReturnNode keyword_loc:location arguments:node?
    SelfNode
    ShareableConstantNode write:node
    SingletonClassNode locals:constant[] class_keyword_loc:location operator_loc:location expression:node body:node?
      end_keyword_loc:location
    SourceEncodingNode
    SourceFileNode filepath:string
    SourceLineNode
    SplatNode operator_loc:location expression:node?
    StatementsNode body:node[]
    StringNode opening_loc:location? content_loc:location closing_loc:location? unescaped:string
    SuperNode keyword_loc:location lparen_loc:location? arguments:node? rparen_loc:location? block:node?
    SymbolNode opening_loc:location? content_loc:location closing_loc:location? unescaped:string
    TrueNode
    UndefNode names:node[] keyword_loc:location
    UnlessNode unless_keyword_loc:location predicate:node then_keyword_loc:location? statements:node? else_clause:node?
      end_keyword_loc:location?
    UntilNode until_keyword_loc:location do_keyword_loc:location? end_keyword_loc:location? predicate:node
      statements:node?
    WhenNode when_keyword_loc:location conditions:node[] then_keyword_loc:location? statements:node?
    WhileNode while_keyword_loc:location do_keyword_loc:location? end_keyword_loc:location? predicate:node
      statements:node?
    XStringNode opening_loc:location content_loc:location closing_loc:location unescaped:string
    YieldNode keyword_loc:location lparen_loc:location? arguments:node? rparen_loc:location?
  KINDS

  # Fields that the library of CRuby 4.0 has under other names.
  RENAMED = {
    unless_keyword_loc: [:keyword_loc], until_keyword_loc: [:keyword_loc], when_keyword_loc: [:keyword_loc],
    while_keyword_loc: [:keyword_loc], end_keyword_loc: [:closing_loc], in_keyword_loc: [:in_loc], then_keyword_loc: [:then_loc],
    keyword_loc: [:operator_loc], content_loc: [:value_loc]
  }.freeze
end
