"""The sentences that the programs print, from the literals of their sources. troubleshooting_texts.py compares them with the guide."""
import ast
import re

CPP = ["hub", "PerfTools", "tools/rwfcat", "tools/hubload", "tools/truthfeed", "tools/webfeed", "tools/wsload", "bench/bookbench", "tools/itemlist_generator.cpp"]
PYTHON = ["tools/perfreport"]
# Files whose sentences are no complaints: what parameters, options and counts mean, usage texts, pages, figures.
OTHER = re.compile(r"^hub/(config/schema|main/options|ops/Pages|ops/pages_json|ops/Inspector)\.cpp$|^hub/.*[Cc]ounts\.h$|"
                   r"^PerfTools/Common(Ema)?/(OptionTable|LibraryCounts|\w*Report\w*|PrintConfig)\.(cpp|h)$|^PerfTools/TransportPerf/TransportReport|"
                   r"^tools/perfreport/(page|export|chart|headline|steady|stalls)\.py$|^bench/bookbench/(Figures|page|Latency)\.cpp$|"
                   r"^tools/wsload/page\.cpp$")
# What a count of the hub means, beside its name.
MEANING = re.compile(r"^[A-Z].*\.$")
WORDS = 4  # from so many on a literal is a sentence
_LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# A row of a table of options: name, argument, meaning. --help shows them.
_OPTION = re.compile(r'\{\s*"--?\w[^"]*",\s*(?:"[^"]*")?,\s*"(?:[^"\\\n]|\\.)*"')
_PLACE = re.compile(r"%[-+ #0]*[\d.*]*(?:hh|h|ll|l|z|j)?[a-zA-Z]|\{\}")


def sentences(literals):
    """Those of the texts that are sentences; "..." for what is filled in."""
    found = []
    for text in literals:
        text = _PLACE.sub("...", text)
        words = [word for word in text.split() if re.search(r"[A-Za-z]", word)]
        if len(words) >= WORDS and "<" not in text and "{" not in text and "\n  -" not in text:
            found.append(text.strip())
    return found


def of_cpp(text):
    """The sentences of one C++ source; literals that the compiler puts together are one."""
    text = re.sub(r"^\s*#\s*include.*$", "", text, flags=re.M)
    text = re.sub(r'R"\((?:.|\n)*?\)"', '""', text)
    text = re.sub(r'("(?:[^"\\\n]|\\.)*")|(\'(?:[^\'\\\n]|\\.)+\')|//[^\n]*', lambda m: m[1] or m[2] or "", text)
    text = re.sub(r"static_assert\((?:[^()]|\([^()]*\))*\)", "", text)
    text = re.sub(r'(?<!\\)"\s*\n?\s*"', "", text)
    text = _OPTION.sub("{", text)
    escapes = {"n": "\n", "t": "\t"}
    return sentences(re.sub(r"\\(.)", lambda m: escapes.get(m[1], m[1]), found) for found in _LITERAL.findall(text))


def of_python(text):
    """The sentences of one Python source, without the comments of modules, classes and functions."""
    tree = ast.parse(text)
    documents = {id(node.body[0].value) for node in ast.walk(tree)
                 if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and node.body and isinstance(node.body[0], ast.Expr)}
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node) if part is not node}
    found = []
    for node in ast.walk(tree):
        if id(node) in documents or id(node) in parts:
            continue
        if isinstance(node, ast.JoinedStr):
            found.append("".join(part.value if isinstance(part, ast.Constant) else "..." for part in node.values))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(node.value)
    return sentences(found)


def of_tree(tree):
    """[(file, sentence)] of all programs, each once."""
    result = {}
    for places, suffixes, read in ((CPP, (".cpp", ".h"), of_cpp), (PYTHON, (".py",), of_python)):
        for place in places:
            path = tree / place
            for source in [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.suffix in suffixes):
                name = source.relative_to(tree).as_posix()
                if OTHER.match(name):
                    continue
                counts = name.startswith("hub/") and name.endswith(".h")
                result.update({(name, sentence): None for sentence in read(source.read_text(encoding="utf-8"))
                               if not (counts and MEANING.match(sentence))})
    return list(result)
