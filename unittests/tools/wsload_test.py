"""wsload against a server that plays a script: delays, losses and duplicates are reported as they were sent; refusals are named.

    wsload_test.py WSLOAD [unittest options]

Delays are seconds where the product's are milliseconds, so that a busy machine adds nothing that matters.
"""
import csv
import json
import math
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from web_script import Server  # noqa: E402

PROGRAM = ""
PATIENCE = 60
FOLDER = tempfile.TemporaryDirectory()


class Run:
    """wsload against the server's port; `go` of the server is set when it measures."""

    def __init__(self, server, *words, during=None):
        port = server.port if isinstance(server, Server) else server
        self.out = pathlib.Path(tempfile.mkdtemp(dir=FOLDER.name)) / "out"
        words = [PROGRAM, "-url", f"ws://127.0.0.1:{port}/WebSocket", "-warmup", "0", "-duration", "2", "-maxLatency", "50000",
                 "-writeStatsInterval", "1", *map(str, words)]
        self.process = subprocess.Popen([w if w != "OUT" else str(self.out) for w in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        watchdog = threading.Timer(PATIENCE, self.process.kill)
        watchdog.start()
        lines = []
        for line in self.process.stdout:
            lines.append(line)
            if line == "measuring\n":
                if isinstance(server, Server):
                    server.go.set()
                if during is not None:
                    during(self.process)
        self.errors = self.process.stderr.read()
        self.code = self.process.wait()
        watchdog.cancel()
        self.process.stdout.close()
        self.process.stderr.close()
        self.text = "".join(lines)
        self.result = json.loads(lines[-1]) if lines and lines[-1].startswith("{") else None

    def file(self, name):
        with open(self.out / name, newline="") as f:
            return list(csv.DictReader(f))


def unloaded(result):
    """The failures without those that a busy machine may add."""
    return [why for why in result["failures"] if not why.startswith("loader-bound")]


class Refused(unittest.TestCase):
    def test_a_folder_that_cannot_be_made_is_named_before_anything_is_measured(self):
        run = Run(1, "-clients", 1, "-out", "/proc/none")
        self.assertEqual(run.code, 1)
        self.assertIn("cannot make the folder /proc/none", run.errors)
        self.assertEqual(run.text, "")


class Exact(unittest.TestCase):
    def test_delays_are_reported_exactly(self):
        late = {("load0", 3): 5_000_000, ("load1", 4): 30_000_000, ("load2", 5): 80_000_000}

        def play(peer):
            for sequence in range(2, 12):
                for stream in (3, 4, 5):
                    peer.send(peer.update(stream, sequence, late.get((peer.user, stream), 0) if sequence == 6 else 0))

        begun = time.time()
        with Server(play) as server:
            run = Run(server, "-clients", 4, "-streams", 3, "-out", "OUT", "-raw", "-verify", 1)
        r = run.result
        self.assertEqual(run.code, 1)
        self.assertEqual(len(unloaded(r)), 1, r["failures"])
        self.assertRegex(unloaded(r)[0], r"^the latest message took 80\d{3}\.\d\d ms, allowed are 50000$")
        self.assertEqual((r["messages"], r["above"], r["gaps"], r["duplicates"], r["verified"], r["verifyErrors"]), (120, 1, 0, 0, 120, 0))
        self.assertEqual((r["worst"], r["worstItem"]), ("load2", "WEB2"))
        raw = run.file("raw.csv")
        self.assertEqual(len(raw), 120)
        self.assertEqual(max(int(row["latency us"]) for row in raw), r["maxUs"])
        self.assertEqual(min(int(row["latency us"]) for row in raw), r["minUs"])
        found = {(f"load{row['client']}", row["item"]): int(row["latency us"]) for row in raw if int(row["latency us"]) >= 4_000_000}
        self.assertEqual({k: v // 10_000_000 for k, v in found.items()}, {("load0", "WEB0"): 0, ("load1", "WEB1"): 3, ("load2", "WEB2"): 8})
        clients = {row["client"]: row for row in run.file("clients.csv")}
        self.assertEqual([clients[f"load{i}"]["messages"] for i in range(4)], ["30"] * 4)
        self.assertEqual(clients["load1"]["max us"], str(found["load1", "WEB1"]))
        hour, minute, second = r["worstAt"].split(":")
        told = (int(hour) * 60 + int(minute)) * 60 + float(second)
        self.assertLess((told - begun) % 86400, time.time() - begun + 0.01)
        mean = sum(int(row["latency us"]) for row in raw) / 120
        self.assertAlmostEqual(r["meanUs"], mean, delta=0.1)
        deviation = math.sqrt(sum((int(row["latency us"]) - mean) ** 2 for row in raw) / 120)
        self.assertAlmostEqual(r["stdUs"], deviation, delta=1)
        page = (run.out / "report.html").read_text()
        self.assertIn("107.99", page)
        self.assertIn("load2, WEB2", page)

    def test_losses_and_duplicates_are_counted(self):
        def play(peer):
            peer.send(*(peer.update(3, s) for s in (2, 3, 5, 6, 6, 10, 9, 11)))  # 4 and 7 to 9 are lost, 6 and 9 come late
            peer.send(*(peer.update(4, s) for s in (2, 3, 4)))

        with Server(play) as server:
            run = Run(server, "-clients", 2, "-streams", 2)
        r = run.result
        self.assertEqual((r["gaps"], r["missing"], r["duplicates"], r["messages"], r["conflated"]), (4, 8, 4, 22, 0))
        self.assertEqual(unloaded(r), ["4 gaps", "4 duplicates"])
        self.assertEqual(run.code, 1)

    def test_quantiles_against_sorted_latencies(self):
        draw = random.Random(4)
        late = [int(math.exp(draw.uniform(math.log(1000), math.log(40_000_000)))) for _ in range(3000)]

        def play(peer):
            for i in range(0, len(late), 10):
                peer.send(*(peer.update(3, 2 + i + n, late[i + n]) for n in range(10)))

        with Server(play) as server:
            run = Run(server, "-clients", 1, "-streams", 1, "-out", "OUT", "-raw")
        values = sorted(int(row["latency us"]) for row in run.file("raw.csv"))
        self.assertEqual(len(values), len(late))
        for row in run.file("distribution.csv"):
            share = float(row["share of messages %"])
            exact = values[max(0, math.ceil(share / 100 * len(values)) - 1)]
            self.assertLessEqual(abs(int(row["latency us"]) - exact), 0.01 * exact, row)
        self.assertEqual(int(run.file("distribution.csv")[-1]["latency us"]), values[-1])
        self.assertEqual(run.result["maxUs"], values[-1])
        for key, share in (("p50Us", 0.5), ("p99Us", 0.99), ("p999Us", 0.999)):
            exact = values[math.ceil(share * len(values)) - 1]
            self.assertLessEqual(abs(run.result[key] - exact), 0.01 * exact, key)

    def test_what_comes_before_the_measurement_is_told_apart(self):
        def play(peer):
            for sequence in range(2, 12):
                peer.send(peer.update(3, sequence, 7_000_000))

        with Server(play) as server:
            server.go.set()  # the script begins with the image, seconds before the warm-up is over
            run = Run(server, "-clients", 1, "-streams", 1, "-warmup", 3)
        self.assertEqual((run.result["messages"], run.result["maxUs"], run.result["gaps"]), (0, 0, 0))
        self.assertIn("no message with a time stamp came", run.result["failures"])

    def test_final_truth(self):
        def play(peer):
            peer.send(peer.update(3, 2), peer.update(4, 2), peer.update(4, 3))

        for lines, differences in (("WEB0,2,0.02\nWEB1,3,0.03\n", 0), ("WEB0,2,0.02\nWEB1,4,0.04\n", 1), ("WEB0,2,0.03\n", 2)):
            with self.subTest(lines), tempfile.TemporaryDirectory() as folder, Server(play) as server:
                truth = pathlib.Path(folder) / "truth.csv"
                truth.write_text(lines)
                run = Run(server, "-clients", 1, "-streams", 2, "-truthFile", truth)
                self.assertEqual((run.result["truth"], run.result["truthDifferences"]), ("different" if differences else "equal", differences))
                if differences:
                    self.assertIn("load0 ends WEB1 with SEQNUM 3, BID 0.03", run.text)
                    self.assertEqual(run.code, 1)

    def test_stale_seconds(self):
        def play(peer):
            peer.send({"ID": 3, "Type": "Status", "State": {"Stream": "Open", "Data": "Suspect", "Text": "source lost"}})
            peer.send(peer.update(4, 2))

        with Server(play) as server:
            run = Run(server, "-clients", 2, "-streams", 2)
        # One of the two streams of each client, for nearly the whole two seconds.
        self.assertGreater(run.result["staleSeconds"], 2)
        self.assertLess(run.result["staleSeconds"], 10)


class Requests(unittest.TestCase):
    def asked(self, *words, streams=2):
        with Server() as server:
            Run(server, "-clients", 2, "-streams", streams, "-duration", 1, *words)
            return server, sorted(server.peers, key=lambda p: str(p.user))

    def test_batch_and_view(self):
        server, peers = self.asked("-view", "BID,SEQNUM", "-service", "OTHER", "-user", "anna%d.x")
        self.assertEqual([p.user for p in peers], ["anna0.x", "anna1.x"])
        self.assertEqual(peers[0].requests, [{"ID": 2, "Key": {"Name": ["WEB0", "WEB1"], "Service": "OTHER"}, "View": ["BID", "SEQNUM"]}])
        self.assertEqual(peers[1].requests, peers[0].requests)
        self.assertTrue(server.paths[0].startswith("GET /WebSocket HTTP/1.1"), server.paths)

    def test_single_requests_of_own_items(self):
        _, peers = self.asked("-batch", "off", "-share", "distinct")
        self.assertEqual([[r["Key"]["Name"] for r in p.requests] for p in peers], [["WEB0", "WEB1"], ["WEB2", "WEB3"]])
        self.assertEqual([r["ID"] for r in peers[0].requests], [3, 4])

    def test_drawn_items_are_different_and_the_same_again(self):
        first = [p.requests[0]["Key"]["Name"] for p in self.asked("-share", "zipf", "-items", 12, "-seed", 7, streams=6)[1]]
        again = [p.requests[0]["Key"]["Name"] for p in self.asked("-share", "zipf", "-items", 12, "-seed", 7, streams=6)[1]]
        self.assertEqual(first, again)
        self.assertNotEqual(first[0], first[1])
        for names in first:
            self.assertEqual(len(set(names)), 6)

    def test_token_and_item_file(self):
        with tempfile.TemporaryDirectory() as folder:
            items, token = pathlib.Path(folder) / "items", pathlib.Path(folder) / "token"
            items.write_text("A.X\n\nB.X\nC.X\n")
            token.write_text("abc.def\n")
            _, peers = self.asked("-itemFile", items, "-token", f"@{token}")
        self.assertEqual(peers[0].login["Key"]["NameType"], "AuthnToken")
        self.assertEqual(peers[0].login["Key"]["Elements"]["AuthenticationToken"], "abc.def")
        self.assertNotIn("Name", peers[0].login["Key"])
        self.assertEqual(peers[0].requests[0]["Key"]["Name"], ["A.X", "B.X"])

    def test_cookies_are_the_login(self):
        posts = []

        def post(peer, message):
            posts.append(message)
            peer.send({"ID": -1, "Type": "Ack", "AckID": message["PostID"]})

        with tempfile.TemporaryDirectory() as folder:
            cookie = pathlib.Path(folder) / "cookie"
            cookie.write_text("AuthToken=abc.def; position=1\n")
            with Server(on_post=post) as server:
                run = Run(server, "-clients", 1, "-streams", 2, "-cookie", f"@{cookie}", "-postRate", 20, "-deflate", "-cpus", "0")
        peer = server.peers[0]
        self.assertIn("Cookie: AuthToken=abc.def; position=1", peer.head)
        self.assertTrue(any(line.startswith("Sec-WebSocket-Extensions: permessage-deflate") for line in peer.head), peer.head)
        self.assertEqual(peer.login["ID"], -1)  # the server's own: the client has sent none
        self.assertEqual(len(peer.requests), 1)
        self.assertTrue(posts and all(m["ID"] == -1 for m in posts))
        self.assertEqual(run.result["naks"], 0, run.result)

    def test_pings_are_answered(self):
        def play(peer):
            peer.send({"Type": "Ping"})
            peer.ponged.wait(5)

        with Server(play) as server:
            Run(server, "-clients", 1, "-streams", 1)
            self.assertTrue(server.peers[0].ponged.is_set())

    def test_posts(self):
        got = []

        def post(peer, message):
            got.append(message)
            stamp = message["Message"]["Fields"]["TIM_TRK_2"] - 9_000_000
            stream = next(s for s, name in peer.items.items() if name == message["Key"]["Name"])
            # The update of another poster is nobody's round trip.
            for user in (message["PostUserInfo"]["UserID"], 77):
                peer.send({"ID": stream, "Type": "Update", "PostUserInfo": {"Address": "127.0.0.1", "UserID": user}, "Fields": {"TIM_TRK_2": stamp}})
            if message["PostID"] == 3:
                peer.send({"ID": 1, "Type": "Ack", "AckID": 3, "NakCode": "SymbolUnknown", "Text": "not contributable"})
            elif message["PostID"] != 4:
                peer.send({"ID": 1, "Type": "Ack", "AckID": message["PostID"]})
            if message["PostID"] == 5:
                peer.send({"ID": 1, "Type": "Ack", "AckID": 5})

        with Server(on_post=post) as server:
            run = Run(server, "-clients", 2, "-streams", 3, "-postRate", 10)
        r = run.result
        self.assertEqual(r["posts"], len(got))
        self.assertIn(len(got), range(14, 24))
        self.assertEqual({m["PostUserInfo"]["UserID"] for m in got}, {1, 2})
        self.assertEqual({m["Key"]["Name"] for m in got}, {"WEB0", "WEB1", "WEB2"})
        self.assertEqual(got[0]["ID"], 1)
        self.assertTrue(got[0]["Ack"])
        self.assertEqual((r["acks"], r["naks"], r["unanswered"], r["postsBack"]), (len(got) - 4, 2, 2, len(got)))
        self.assertEqual(r["postP50Us"] // 1_000_000, 9)
        self.assertEqual(unloaded(r), ["no message with a time stamp came", "2 posts refused", "2 posts without an answer",
                                       "2 answers to posts that wait for none"])
        self.assertIn(": a post is refused: SymbolUnknown not contributable", run.text)
        self.assertIn("an answer to post 5, which waits for none", run.text)

    def test_slow_clients_read_no_faster(self):
        taken = {}

        def play(peer):
            peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            peer.socket.settimeout(1.5)
            taken[peer.user] = 0
            try:
                for sequence in range(2, 4000):
                    peer.send(peer.update(3, sequence))
                    taken[peer.user] += 1
            except TimeoutError:
                pass

        with Server(play) as server:
            run = Run(server, "-clients", 2, "-streams", 1, "-slow", "1,1000")
        self.assertEqual(taken["load1"], 3998)
        # What lies in the buffers of the system, and two seconds' worth.
        self.assertLess(taken["load0"], 1000)
        self.assertEqual(run.result["gaps"], 0)


class Failures(unittest.TestCase):
    def test_nobody_listens(self):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        run = Run(port, "-clients", 2)
        self.assertEqual(run.code, 1)
        self.assertIn(f"load0: no connection: connect to 127.0.0.1:{port}: Connection refused", run.text)
        self.assertEqual((run.result["lost"], run.result["passed"]), (2, False))

    def test_login_refused(self):
        def refuse(peer):
            if peer.user != "load1":
                return {"ID": 1, "Type": "Refresh", "Domain": "Login", "State": {"Stream": "Open", "Data": "Ok"}}
            return {"ID": 1, "Type": "Status", "Domain": "Login", "Key": {"Name": peer.user},
                    "State": {"Stream": "Closed", "Data": "Suspect", "Code": "NotEntitled", "Text": "unknown user"}}

        with Server(on_login=refuse) as server:
            run = Run(server, "-clients", 3, "-streams", 1)
        self.assertEqual(run.code, 1)
        self.assertIn("load1: login refused: NotEntitled unknown user", run.text)
        self.assertEqual(unloaded(run.result), ["1 logins refused", f"1 clients had not all their images after {run.result['imageSeconds']:.0f} s"])

    def test_item_closed(self):
        def item(peer, stream, name):
            if name != "WEB1":
                return peer.image(stream, name)
            return {"ID": stream, "Type": "Status", "Key": {"Service": "WEB_FEED", "Name": name},
                    "State": {"Stream": "Closed", "Data": "Suspect", "Code": "NotFound", "Text": "no such item"}}

        with Server(on_item=item) as server:
            run = Run(server, "-clients", 1, "-streams", 2)
        self.assertEqual(run.code, 1)
        self.assertIn("load0: item WEB1 closed: NotFound no such item", run.text)
        self.assertEqual(run.result["closed"], 1)

    def test_no_image(self):
        with Server(on_item=lambda peer, stream, name: peer.image(stream, name) if name != "WEB1" else None) as server:
            run = Run(server, "-clients", 1, "-streams", 2, "-patience", 6, "-service", "NOWHERE")
        self.assertEqual(run.code, 1)
        self.assertIn("load0 has no image of WEB1 of service NOWHERE", run.text)
        self.assertIn("1 clients had not all their images after 6 s", run.result["failures"])

    def test_error_of_the_server(self):
        def item(peer, stream, name):
            return {"Type": "Error", "ID": stream, "Text": "unknown service WEB_FEED at [0].Key.Service"}

        with Server(on_item=item) as server:
            run = Run(server, "-clients", 1, "-streams", 1)
        self.assertIn("load0: the server answers with an error: unknown service WEB_FEED at [0].Key.Service", run.text)
        self.assertEqual((run.code, run.result["errors"]), (1, 1))

    def test_texts_that_are_no_json(self):
        for text in ('[{"ID":3,"Type":"Update"', '[{"ID":3,"Type":"Refresh","State":{"Stream":}}]', "[3]", "nonsense", '[{"Type":"Status" "ID":3}]'):
            def play(peer, text=text):
                peer.send_text(text)

            with self.subTest(text), Server(play) as server:
                run = Run(server, "-clients", 1, "-streams", 1)
                self.assertEqual((run.code, run.result["errors"]), (1, 1))
                self.assertIn("that is no JSON: ", run.text)

    def test_the_image_of_another_item(self):
        with Server(on_item=lambda peer, stream, name: peer.image(stream, "OTHER")) as server:
            run = Run(server, "-clients", 1, "-streams", 1)
        self.assertEqual((run.code, run.result["mixed"]), (1, 1))
        self.assertIn("load0: got the image of OTHER for WEB0", run.text)

    def test_what_was_picked_is_compared_with_what_is_there(self):
        def play(peer):
            peer.send({**peer.update(3, 2), "Other": {"SEQNUM": 7}})

        with Server(play) as server:
            run = Run(server, "-clients", 1, "-streams", 1, "-verify", 1)
        self.assertEqual((run.code, run.result["verifyErrors"]), (1, 1))

    def test_a_connection_is_lost(self):
        def play(peer):
            peer.send(peer.update(3, 2))
            if peer.user == "load1":
                peer.socket.shutdown(socket.SHUT_RDWR)

        with Server(play) as server:
            run = Run(server, "-clients", 2, "-streams", 1)
        self.assertEqual((run.code, run.result["lost"]), (1, 1))
        self.assertIn("load1: connection lost: ", run.text)

    def test_lost_clients_come_back(self):
        lost = []

        def play(peer):
            if peer.user not in lost:
                lost.append(peer.user)
                peer.socket.shutdown(socket.SHUT_RDWR)
            else:
                peer.send(peer.update(3, 2), peer.update(4, 2))

        with Server(play) as server:
            run = Run(server, "-clients", 3, "-streams", 2, "-recover", 30, "-duration", 4)
        self.assertEqual((run.result["lost"], run.result["returns"], run.result["messages"]), (3, 3, 6))
        self.assertEqual(unloaded(run.result), [])
        self.assertGreater(run.result["longestReturn"], 0)

    def test_interrupted(self):
        with Server(lambda peer: peer.send(peer.update(3, 2))) as server:
            run = Run(server, "-clients", 2, "-streams", 1, "-duration", 600, during=lambda process: process.send_signal(signal.SIGINT))
        self.assertEqual(run.code, 1)
        self.assertRegex(run.result["failures"][0], r"^interrupted after \d of 600 seconds$")
        self.assertIn("Virtual consumer avg latency", run.text)

    def test_options(self):
        for words, said in ((["-url", "http://x"], "-url must begin with ws:// or wss://, not 'http://x'"),
                            (["-url", "ws://x:0/"], "-url has a port outside 1 to 65535: '0'"),
                            (["-url", "ws://:1/"], "-url has no host: 'ws://:1/'"),
                            (["-clients", "0"], "-clients must be a number from 1 to 1000000, not '0'"),
                            (["-slow", "3"], "-slow must be two numbers"), (["-clients", "2", "-slow", "3,1"], "-slow wants 3 clients, but -clients is 2"),
                            (["-slow", "1,1", "-churn", "1"], "-slow and -churn do not go together"),
                            (["-view", "BID,,ASK"], "-view has an empty field name"), (["-share", "all"], "-share must be one of common, distinct, zipf, not 'all'"),
                            (["-maxLatency", "x"], "-maxLatency must be a number"), (["-raw"], "-raw needs -out"), (["-ca", "x"], "-ca is for wss:// addresses"),
                            (["-token", "@/nowhere"], "-token names the file '/nowhere', which has no token"), (["-bogus"], "unknown option [-bogus]"),
                            (["-cookie", "@/nowhere"], "-cookie names the file '/nowhere', which has no cookie"),
                            (["-cookie", "a=b", "-token", "c"], "-cookie and -token do not go together"), (["-cpus", "x"], "-cpus is no list of processors: 'x'"),
                            (["-cpus", "0,4095"], "-cpus names the processor '4095', which this machine does not have"),
                            (["word"], "[word] is no option")):
            with self.subTest(words):
                ran = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=PATIENCE)
                self.assertEqual((ran.returncode, ran.stdout), (2, ""))
                self.assertIn("wsload: " + said, ran.stderr)
        for words, said in ((["-items", "5"], "the clients need 20 items, there are 5"), (["-itemFile", "/nowhere"], "cannot read the item file /nowhere"),
                            (["-url", "wss://localhost:1/", "-ca", "/nowhere"], "/nowhere")):
            with self.subTest(words):
                ran = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=PATIENCE)
                self.assertEqual(ran.returncode, 1)
                self.assertIn(said, ran.stderr)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    with FOLDER:
        unittest.main()
