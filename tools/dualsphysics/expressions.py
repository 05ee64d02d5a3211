"""Variables and expressions of GenCase: newvarcte, newvar, setvar, and #expressions in
attributes."""

import ast
import math
import operator
import re

OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.Mod: math.fmod, ast.USub: operator.neg, ast.UAdd: operator.pos,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Not: operator.not_,
}  # fmt: skip


def _wavelength(gravity, depth, period):
    """Linear dispersion, by Newton's iterations."""
    omega2 = (2 * math.pi / period) ** 2 / abs(gravity)
    k = max(omega2, math.sqrt(omega2 / depth))
    for _ in range(60):
        t = math.tanh(k * depth)
        k -= (k * t - omega2) / (t + k * depth * (1 - t * t))
    return 2 * math.pi / k


FUNCTIONS = {
    "eval": lambda condition, a, b: a if condition else b,
    "pi": lambda: math.pi, "e": lambda: math.e, "float": float, "int": math.trunc,
    "floor": math.floor, "ceil": math.ceil, "round": lambda a: math.floor(a + 0.5),
    "min": min, "max": max, "abs": abs, "fmod": math.fmod, "fmodr": math.remainder,
    "sqrt": math.sqrt, "exp": math.exp, "log": math.log, "log10": math.log10, "pow": math.pow,
    "sin": math.sin, "cos": math.cos, "tan": math.tan,
    "sindg": lambda a: math.sin(math.radians(a)), "cosdg": lambda a: math.cos(math.radians(a)),
    "tandg": lambda a: math.tan(math.radians(a)),
    "sinh": math.sinh, "cosh": math.cosh, "tanh": math.tanh,
    "asin": math.asin, "acos": math.acos, "atan": math.atan, "atan2": math.atan2,
    "wavelength": _wavelength,
    "roundpos": lambda place, least, dp: least + math.floor((place - least) / dp + 0.5) * dp,
}  # fmt: skip


class BadExpressionError(Exception):
    """The text is no number, or names a variable that is not there."""


class Variables:
    """The variables at a place of the command list. Names are those of the file."""

    def __init__(self, **values):
        self.values = {name.lower(): value for name, value in values.items()}
        self.functions = dict(FUNCTIONS)

    def evaluate(self, text):
        """The value of an expression, as a float."""
        words = text.strip().lstrip("#").replace("&&", " and ").replace("||", " or ")
        words = re.sub(r"!(?!=)", " not ", words)
        words = re.sub(r"\btrue\b", "1", re.sub(r"\bfalse\b", "0", words))
        try:
            return self._finite(self._value(ast.parse(words.strip(), mode="eval").body), text)
        except SyntaxError:
            raise BadExpressionError(f"'{text}' is no expression") from None
        except (ArithmeticError, ValueError, TypeError) as error:
            raise BadExpressionError(f"'{text}' has no value: {error}") from None

    def number(self, text):
        """An attribute: a number, or an expression that begins with #."""
        text = text.strip()
        if text.startswith("#"):
            return float(self.evaluate(text))
        try:
            return self._finite(float(text), text)
        except ValueError:
            raise BadExpressionError(f"'{text}' is no number") from None

    @staticmethod
    def _finite(value, text):
        if not math.isfinite(value):
            raise BadExpressionError(f"'{text}' is not finite")
        return value

    def _name(self, name):
        try:
            return self.values[name.lower()]
        except KeyError:
            raise BadExpressionError(f"there is no variable '{name}'") from None

    def _value(self, node):
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return node.value
        if isinstance(node, ast.Name):
            return self._name(node.id)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            return self._name(f"{node.value.id}{int(self._value(node.slice))}")
        if isinstance(node, ast.UnaryOp):
            return OPERATORS[type(node.op)](self._value(node.operand))
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](self._value(node.left), self._value(node.right))
        if isinstance(node, ast.BoolOp):
            values = [self._value(value) for value in node.values]
            return all(values) if isinstance(node.op, ast.And) else any(values)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return OPERATORS[type(node.ops[0])](
                self._value(node.left), self._value(node.comparators[0])
            )
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in self.functions:
                return self.functions[node.func.id](*[self._value(value) for value in node.args])
            raise BadExpressionError(f"there is no function '{node.func.id}'")
        raise BadExpressionError("an expression has numbers, variables and functions alone")
