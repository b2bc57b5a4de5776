#!/usr/bin/env python3
"""rules_test.py FOLDER PROMTOOL-SCRIPT: promtool finds nothing in the rules and the configuration, every case holds, and a rule that
is made wrong makes its case fail."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

PATIENCE = 120


def run(promtool, folder, *words):
    done = subprocess.run([promtool, *words], cwd=folder, capture_output=True, text=True, timeout=PATIENCE)
    return done.returncode, done.stdout + done.stderr


def main():
    folder = pathlib.Path(sys.argv[1])
    promtool = subprocess.run([sys.argv[2]], check=True, capture_output=True, text=True).stdout.strip()
    found = []
    for words in (["check", "rules", "alerts.yaml"], ["check", "config", "prometheus.yml"], ["test", "rules", "alerts_test.yaml"]):
        code, text = run(promtool, folder, *words)
        if code != 0:
            found.append(f"promtool {' '.join(words)}: {text}")
    # The cases are worth something: no hub is down for a rule that asks for another value.
    with tempfile.TemporaryDirectory() as other:
        shutil.copy(folder / "alerts_test.yaml", other)
        rules = (folder / "alerts.yaml").read_text()
        wrong = rules.replace("emissary_hub_service_up == 0", "emissary_hub_service_up == 7")
        (pathlib.Path(other) / "alerts.yaml").write_text(wrong)
        if wrong == rules or run(promtool, other, "test", "rules", "alerts_test.yaml")[0] == 0:
            found.append("a wrong rule of EmissaryServiceDown was not noticed by its case")
    print("\n".join(found) if found else "promtool finds nothing in the rules, and all cases hold")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
