# error: SystemStackError: stack level too deep
# stderr: levels...
def down = down
down
