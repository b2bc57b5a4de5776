#!/usr/bin/env python3
"""helm.py CHART HELM STRICT HUB: what the chart renders for several sets of values (see helm.sh)."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

chart, helm, strict, hub = sys.argv[1:]
KUBERNETES = ("--kube-version", "1.29.0")  # a helm that was built from its module believes in an older one
VALUES = {
    "pages without tokens": ["pagesWithoutTokens=true"],
    "tokens and TLS": ["tokensSecret=tokens", "tlsSecret=certificate"],
    "a mesh of three": ["tokensSecret=tokens", "replicas=3", "mesh.servers={nats://a:4222,nats://b:4222}", "mesh.parameters.Import=TEST_FEED",
                        "publishers.enabled=true", "mesh.parameters.TokenFile=/etc/emissary/nats/token",
                        "extraVolumes[0].name=nats", "extraVolumes[0].secret.secretName=nats",
                        "extraVolumeMounts[0].name=nats", "extraVolumeMounts[0].mountPath=/etc/emissary/nats"],
    "publishers with TLS, nothing kept": ["pagesWithoutTokens=true", "publishers.enabled=true", "tlsSecret=c", "persistence.enabled=false", "podDisruptionBudget.enabled=false"],
    "monitored": ["tokensSecret=tokens", "tlsSecret=certificate", "podMonitor.enabled=true", "podMonitor.tokenSecret.name=prometheus",
                  "podMonitor.labels.release=main", "prometheusRule.enabled=true"],
    "parameters of the user": ["pagesWithoutTokens=true", "hub.Threads=2", "hub.AnnounceName=A&B", "consumers.Conflation=interval",
                               "consumers.ConflationInterval=250", "nodeSelector.disk=ssd", "podAnnotations.a=b"],
}
# As a file of values: numbers there are floating.
FILE = """
pagesWithoutTokens: true
hub: {MaxPostBytes: 67108864, HttpCaptureBytes: 1000000000}
consumers: {MaxConnections: 1000000, AllowedOrigins: ["https://a.example", "https://b.example"]}
"""
# Values that the chart must refuse, and a word of the remedy.
REFUSED = {
    "tokensSecret": [], "podMonitor.tokenSecret": ["tokensSecret=t", "podMonitor.enabled=true"],
    "drainSeconds": ["pagesWithoutTokens=true", "hub.DrainTimeout=120"], "service.consumers": ["pagesWithoutTokens=true", "consumers.Port=15000"],
}
faults = []


def ran(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def set_options(values):
    return [option for value in values for option in ("--set", value)]


def objects_of(name, settings):
    status, out, error = ran(helm, "lint", "--strict", chart, *settings)
    if status != 0:
        faults.append(f"{name}: helm lint: {out} {error}")
    status, out, error = ran(helm, "template", "one", chart, "--namespace", "market", *KUBERNETES, *settings)
    if status != 0:
        faults.append(f"{name}: helm template: {error}")
        return []
    status, lines, error = ran(strict, text=out)
    if status != 0:
        faults.append(f"{name}: {error}")
        return []
    return [json.loads(line) for line in lines.splitlines()]


def check_config(name, text, container, work):
    """The hub takes the file, with the files of secrets and volumes where the pod has them; ports of both agree."""
    root = xml.fromstring(text)
    ports = {e.find("Name").get("value"): int(e.find("Port").get("value")) for e in root.iter("Server")}
    ports["pages"] = int(root.find("Hub/HttpPort").get("value"))
    named = {p["name"]: p["containerPort"] for p in container["ports"]}
    if named != ports:
        faults.append(f"{name}: the pod says the ports {named}, HubConfig.xml {ports}")
    for path in sorted(set(re.findall(r'"(/(?:etc|var)/[^"]+)"', text))):
        mounts = [m["mountPath"] for m in container["volumeMounts"]]
        if not any(path == m or path.startswith(m + "/") for m in mounts):
            faults.append(f"{name}: HubConfig.xml names {path}, where nothing is mounted")
        there = work / path.lstrip("/")
        there.parent.mkdir(parents=True, exist_ok=True)
        if path.endswith("/nats/token"):
            there.write_text("secret\n")
        elif path.endswith("/tokens"):
            there.write_text("prometheus:read:" + 64 * "a" + "\n")
        elif path.endswith("/tls.key"):
            made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=hub"]
            subprocess.run([*made, "-keyout", there, "-out", there.with_name("tls.crt")], check=True, capture_output=True)
        elif path.startswith("/var/") and "." not in there.name:
            there.mkdir(exist_ok=True)
    text = text.replace('"/etc/', f'"{work}/etc/').replace('"/var/', f'"{work}/var/')
    (work / "HubConfig.xml").write_text(text)
    status, out, error = ran(hub, "--check", "-c", str(work / "HubConfig.xml"))
    if status != 0 or "given twice" in out + error:
        faults.append(f"{name}: emissary-hub --check: {out} {error}")


def check(name, settings, work):
    objects = objects_of(name, settings)
    kinds = [o["kind"] for o in objects]
    if not objects:
        return
    for kind in ("StatefulSet", "ConfigMap", "Service"):
        if kind not in kinds:
            faults.append(f"{name}: no {kind}")
            return
    pod = next(o for o in objects if o["kind"] == "StatefulSet")["spec"]
    template = pod["template"]["spec"]
    container = template["containers"][0]
    config = next(o for o in objects if o["kind"] == "ConfigMap")["data"]["HubConfig.xml"]
    check_config(name, config, container, work)
    mine = pod["template"]["metadata"]["labels"]
    for o in objects:
        selector = o["spec"].get("selector", {}) if o["kind"] != "ConfigMap" and "spec" in o else {}
        selector = selector.get("matchLabels", selector)
        if any(mine.get(key) != value for key, value in selector.items()):
            faults.append(f"{name}: {o['kind']} {o['metadata']['name']} selects no pod of this chart")
        if o["kind"] == "Service":
            targets = {p["targetPort"] for p in o["spec"]["ports"]} - {p["name"] for p in container["ports"]}
            if targets:
                faults.append(f"{name}: Service {o['metadata']['name']} has ports that the pod has not: {targets}")
    volumes = {v["name"] for v in template["volumes"]} | {v["metadata"]["name"] for v in pod.get("volumeClaimTemplates") or []}
    missing = {m["name"] for m in container["volumeMounts"]} - volumes
    if missing:
        faults.append(f"{name}: volumes that are mounted and not declared: {missing}")
    tls = "HttpCertificate" in config
    for probe in ("readinessProbe", "livenessProbe"):
        if (container[probe]["httpGet"].get("scheme") == "HTTPS") != tls:
            faults.append(f"{name}: {probe} and the pages do not agree on TLS")
    drain = int(xml.fromstring(config).find("Hub/DrainTimeout").get("value"))
    if template["terminationGracePeriodSeconds"] <= drain:
        faults.append(f"{name}: the pod is killed before its drain of {drain} s is over")
    if name == "parameters of the user" and 'AnnounceName value="A&amp;B"' not in config:
        faults.append(f"{name}: {config}")
    if name == "monitored":
        rules = next(o for o in objects if o["kind"] == "PrometheusRule")["spec"]["groups"]
        if sum(len(group["rules"]) for group in rules) < 10:
            faults.append(f"{name}: the alert rules are not in it")


for name, values in VALUES.items():
    with tempfile.TemporaryDirectory() as folder:
        check(name, set_options(values), pathlib.Path(folder))
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "values.yaml"
    file.write_text(FILE)
    check("a file of values", ["--values", str(file)], pathlib.Path(folder))
for word, values in REFUSED.items():
    status, out, error = ran(helm, "template", "one", chart, *KUBERNETES, *set_options(values))
    if status == 0 or word not in error:
        faults.append(f"{values} has to be refused, with the remedy: {status} {error}")
print("\n".join(faults) if faults else f"helm.py: {len(VALUES) + 1} sets of values, and {len(REFUSED)} that must be refused: ok")
sys.exit(1 if faults else 0)
