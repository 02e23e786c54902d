//! Which kind of node is which event's matter: one arm for each kind that prism has, so that none can be forgotten.

use super::{Events, Val};
use ruby_prism::Node;

/// The arms whose method takes the node of its own type.
macro_rules! arms {
    ($self:ident, $node:ident, { $($kind:ident $cast:ident => $method:ident,)* } { $($rest:tt)* }) => {
        match $node {
            $(Node::$kind { .. } => match $node.$cast() {
                Some(inner) => $self.$method(&inner),
                None => Val::NIL,
            },)*
            $($rest)*
        }
    };
}

impl Events<'_> {
    /// The events of a node, up to its own last one.
    pub(super) fn node(&mut self, node: &Node<'_>) -> Val {
        if !self.descend() {
            return Val::NIL;
        }
        let value = arms!(self, node, {
            AliasGlobalVariableNode as_alias_global_variable_node => alias_global,
            AliasMethodNode as_alias_method_node => alias_method,
            AlternationPatternNode as_alternation_pattern_node => alternation,
            AndNode as_and_node => and,
            ArrayNode as_array_node => array_literal,
            ArrayPatternNode as_array_pattern_node => array_pattern,
            AssocNode as_assoc_node => assoc,
            AssocSplatNode as_assoc_splat_node => assoc_splat,
            BeginNode as_begin_node => begin,
            BlockArgumentNode as_block_argument_node => block_argument,
            BreakNode as_break_node => break_,
            CallNode as_call_node => call,
            CallAndWriteNode as_call_and_write_node => call_and_write,
            CallOperatorWriteNode as_call_operator_write_node => call_operator_write,
            CallOrWriteNode as_call_or_write_node => call_or_write,
            CapturePatternNode as_capture_pattern_node => capture_pattern,
            CaseMatchNode as_case_match_node => case_match,
            CaseNode as_case_node => case,
            ClassNode as_class_node => class,
            ClassVariableAndWriteNode as_class_variable_and_write_node => class_variable_and_write,
            ClassVariableOperatorWriteNode as_class_variable_operator_write_node => class_variable_operator_write,
            ClassVariableOrWriteNode as_class_variable_or_write_node => class_variable_or_write,
            ClassVariableWriteNode as_class_variable_write_node => class_variable_write,
            ConstantAndWriteNode as_constant_and_write_node => constant_and_write,
            ConstantOperatorWriteNode as_constant_operator_write_node => constant_operator_write,
            ConstantOrWriteNode as_constant_or_write_node => constant_or_write,
            ConstantPathAndWriteNode as_constant_path_and_write_node => constant_path_and_write,
            ConstantPathNode as_constant_path_node => constant_path,
            ConstantPathOperatorWriteNode as_constant_path_operator_write_node => constant_path_operator_write,
            ConstantPathOrWriteNode as_constant_path_or_write_node => constant_path_or_write,
            ConstantPathWriteNode as_constant_path_write_node => constant_path_write,
            ConstantWriteNode as_constant_write_node => constant_write,
            DefNode as_def_node => def,
            DefinedNode as_defined_node => defined,
            EmbeddedStatementsNode as_embedded_statements_node => embedded_statements,
            EmbeddedVariableNode as_embedded_variable_node => embedded_variable,
            FindPatternNode as_find_pattern_node => find_pattern,
            FlipFlopNode as_flip_flop_node => flip_flop,
            ForNode as_for_node => for_,
            ForwardingSuperNode as_forwarding_super_node => forwarding_super,
            GlobalVariableAndWriteNode as_global_variable_and_write_node => global_variable_and_write,
            GlobalVariableOperatorWriteNode as_global_variable_operator_write_node => global_variable_operator_write,
            GlobalVariableOrWriteNode as_global_variable_or_write_node => global_variable_or_write,
            GlobalVariableWriteNode as_global_variable_write_node => global_variable_write,
            HashNode as_hash_node => hash_literal,
            HashPatternNode as_hash_pattern_node => hash_pattern,
            IfNode as_if_node => if_,
            IndexAndWriteNode as_index_and_write_node => index_and_write,
            IndexOperatorWriteNode as_index_operator_write_node => index_operator_write,
            IndexOrWriteNode as_index_or_write_node => index_or_write,
            InstanceVariableAndWriteNode as_instance_variable_and_write_node => instance_variable_and_write,
            InstanceVariableOperatorWriteNode as_instance_variable_operator_write_node => instance_variable_operator_write,
            InstanceVariableOrWriteNode as_instance_variable_or_write_node => instance_variable_or_write,
            InstanceVariableWriteNode as_instance_variable_write_node => instance_variable_write,
            InterpolatedStringNode as_interpolated_string_node => interpolated_string,
            InterpolatedSymbolNode as_interpolated_symbol_node => interpolated_symbol,
            KeywordHashNode as_keyword_hash_node => keyword_hash,
            LambdaNode as_lambda_node => lambda,
            LocalVariableAndWriteNode as_local_variable_and_write_node => local_variable_and_write,
            LocalVariableOperatorWriteNode as_local_variable_operator_write_node => local_variable_operator_write,
            LocalVariableOrWriteNode as_local_variable_or_write_node => local_variable_or_write,
            LocalVariableWriteNode as_local_variable_write_node => local_variable_write,
            MatchPredicateNode as_match_predicate_node => match_predicate,
            MatchRequiredNode as_match_required_node => match_required,
            ModuleNode as_module_node => module,
            MultiWriteNode as_multi_write_node => multi_write,
            NextNode as_next_node => next_,
            OrNode as_or_node => or,
            ParenthesesNode as_parentheses_node => parentheses,
            PinnedExpressionNode as_pinned_expression_node => pinned_expression,
            PinnedVariableNode as_pinned_variable_node => pinned_variable,
            PostExecutionNode as_post_execution_node => post_execution,
            PreExecutionNode as_pre_execution_node => pre_execution,
            ProgramNode as_program_node => program,
            RangeNode as_range_node => range,
            RescueModifierNode as_rescue_modifier_node => rescue_modifier,
            ReturnNode as_return_node => return_,
            SingletonClassNode as_singleton_class_node => singleton_class,
            StringNode as_string_node => string_literal,
            SuperNode as_super_node => super_,
            SymbolNode as_symbol_node => symbol_literal,
            UndefNode as_undef_node => undef,
            UnlessNode as_unless_node => unless,
            UntilNode as_until_node => until,
            WhileNode as_while_node => while_,
            YieldNode as_yield_node => yield_,
        } {
            Node::ImplicitNode { .. } => Val::NIL,
            Node::MatchWriteNode { .. } => node.as_match_write_node().map_or(Val::NIL, |n| self.call(&n.call())),
            Node::ShareableConstantNode { .. } => {
                node.as_shareable_constant_node().map_or(Val::NIL, |n| self.node(&n.write()))
            }
            Node::StatementsNode { .. } => self.compstmt(node.as_statements_node().as_ref(), node.location().start()),
            Node::ClassVariableReadNode { .. } | Node::ConstantReadNode { .. } | Node::GlobalVariableReadNode { .. }
            | Node::InstanceVariableReadNode { .. } | Node::LocalVariableReadNode { .. } | Node::FalseNode { .. }
            | Node::NilNode { .. } | Node::SelfNode { .. } | Node::SourceEncodingNode { .. }
            | Node::SourceFileNode { .. } | Node::SourceLineNode { .. }
            | Node::TrueNode { .. } => self.var_ref(&node.location()),
            // What only prism knows to be a parameter.
            Node::ItLocalVariableReadNode { .. } => self.vcall(&node.location()),
            Node::BackReferenceReadNode { .. } | Node::NumberedReferenceReadNode { .. } => {
                self.token_of(&node.location())
            }
            Node::FloatNode { .. } | Node::ImaginaryNode { .. } | Node::IntegerNode { .. } | Node::RationalNode { .. } => {
                self.number(&node.location())
            }
            Node::InterpolatedXStringNode { .. } | Node::XStringNode { .. } => self.xstring(node),
            Node::InterpolatedMatchLastLineNode { .. } | Node::InterpolatedRegularExpressionNode { .. }
            | Node::MatchLastLineNode { .. } | Node::RegularExpressionNode { .. } => self.regexp(node),
            Node::RedoNode { .. } => self.word(&node.location(), "redo"),
            Node::RetryNode { .. } => self.word(&node.location(), "retry"),
            Node::ForwardingArgumentsNode { .. } | Node::ForwardingParameterNode { .. } => {
                self.word(&node.location(), "args_forward")
            }
            Node::CallTargetNode { .. } | Node::ClassVariableTargetNode { .. } | Node::ConstantPathTargetNode { .. }
            | Node::ConstantTargetNode { .. } | Node::GlobalVariableTargetNode { .. } | Node::IndexTargetNode { .. }
            | Node::InstanceVariableTargetNode { .. } | Node::LocalVariableTargetNode { .. }
            | Node::MultiTargetNode { .. } => self.target(node),
            Node::SplatNode { .. } => node.as_splat_node().map_or(Val::NIL, |n| self.splat(&n)),
            // What stands where the source is wrong: nothing is known of it.
            Node::ErrorRecoveryNode { .. } => Val::NIL,
            // Parts of other nodes, which read them themselves.
            Node::ArgumentsNode { .. } | Node::BlockLocalVariableNode { .. } | Node::BlockNode { .. }
            | Node::BlockParameterNode { .. } | Node::BlockParametersNode { .. } | Node::ElseNode { .. }
            | Node::EnsureNode { .. } | Node::ImplicitRestNode { .. } | Node::InNode { .. }
            | Node::ItParametersNode { .. } | Node::KeywordRestParameterNode { .. }
            | Node::NoBlockParameterNode { .. } | Node::NoKeywordsParameterNode { .. }
            | Node::NumberedParametersNode { .. } | Node::OptionalKeywordParameterNode { .. }
            | Node::OptionalParameterNode { .. } | Node::ParametersNode { .. }
            | Node::RequiredKeywordParameterNode { .. } | Node::RequiredParameterNode { .. } | Node::RescueNode { .. }
            | Node::RestParameterNode { .. } | Node::WhenNode { .. } => Val::NIL,
        });
        if !matches!(node, Node::CallNode { .. } | Node::SuperNode { .. }) {
            self.block_call = false;
        }
        self.ascend();
        value
    }
}
