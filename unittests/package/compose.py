#!/usr/bin/env python3
"""compose.py TREE HUB PROMTOOL-SCRIPT: what packaging/docker/compose.yaml needs is there, and its hub can be looked at by its Prometheus.

- every file and folder that a service takes from this tree exists, and every volume that is used is declared;
- promtool takes the configuration of Prometheus with the alert rules beside it;
- the hub takes its configuration, serves its counts to a request for the host that Prometheus asks, and to no other name.
No container is started: what the images do is not tested here.
"""
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

PATIENCE = 60


def faults_of(compose, folder):
    found = []
    declared = set(re.findall(r"^  ([\w-]+):$", compose.split("\nvolumes:\n")[1], flags=re.M))
    used = re.findall(r"^      - ([^:\s]+):(/[^:\s]+)(?::ro)?$", compose, flags=re.M)
    for source, _ in used:
        if source.startswith("."):
            if not (folder / source).exists():
                found.append(f"compose.yaml: there is no {source}")
        elif source not in declared:
            found.append(f"compose.yaml: the volume {source} is not declared")
    found += [f"compose.yaml: nobody uses the volume {v}" for v in sorted(declared - {s for s, _ in used})]
    for context, dockerfile in re.findall(r"build: \{context: (\S+), dockerfile: (\S+)\}", compose):
        if not (folder / context / dockerfile).is_file():
            found.append(f"compose.yaml: there is no {dockerfile}")
    return found


def status(port, host):
    ask = urllib.request.Request(f"http://127.0.0.1:{port}/metrics", headers={"Host": host})
    try:
        with urllib.request.urlopen(ask, timeout=5) as answer:
            return answer.status
    except urllib.error.HTTPError as e:
        return e.code
    except OSError:
        return 0


def faults_of_hub(hub, configuration, host, work):
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    text = configuration.replace("/var/log/emissary", str(work)).replace("/var/lib/emissary", str(work))
    (work / "HubConfig.xml").write_text(text)
    process = subprocess.Popen([hub, "-c", "HubConfig.xml", "-port", "0", "-niPort", "0", "-httpPort", str(port)], cwd=work,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + PATIENCE
        while (seen := status(port, host)) == 0 and process.poll() is None and time.monotonic() < end:
            pass
        other = status(port, "elsewhere.example:8080")
        return [f"the hub answers {seen} to Prometheus and {other} to another name"] if (seen, other) != (200, 421) else []
    finally:
        process.terminate()
        process.wait(PATIENCE)


def main():
    tree = pathlib.Path(sys.argv[1])
    folder = tree / "packaging/docker"
    compose = (folder / "compose.yaml").read_text()
    found = faults_of(compose, folder)
    if not faults_of(compose.replace("./compose_hub.xml", "./none.xml"), folder):
        found.append("a file that is not there was not noticed")
    promtool = subprocess.run([sys.argv[3]], check=True, capture_output=True, text=True).stdout.strip()
    prometheus = (folder / "compose_prometheus.yml").read_text()
    target = re.search(r'targets: \["([^"]+)"\]', prometheus)[1]
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        shutil.copy(tree / "packaging/monitoring/alerts.yaml", work)
        (work / "prometheus.yml").write_text(prometheus)
        done = subprocess.run([promtool, "check", "config", "prometheus.yml"], cwd=work, capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode != 0:
            found.append(done.stdout + done.stderr)
        found += faults_of_hub(sys.argv[2], (folder / "compose_hub.xml").read_text(), target, work)
    print("\n".join(found) if found else "compose.yaml has what it needs, and its hub answers its Prometheus")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
