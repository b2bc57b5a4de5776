#!/usr/bin/env python3
"""W11: posts: 100 web clients post 1,000 times a second, off-stream, to a service that webfeed publishes (-ni).

Each post becomes an update for all 100. Required: every post is acknowledged and comes back to its poster as an update, p99 of the round
trip below 20 ms.
"""
import sys

from web import Timed, Web, arguments, finish, main, wsload_passed


def run(options):
    options.publisher = True
    web = Web(options, "w11", rate=1)
    row, result, _ = web.load("w11", "-streams", 20, "-postRate", options.posts, "-maxLatency", 1000, clients=100)
    row.pop("bytes a msg", None)  # most messages are those of posts, without the feed's stamp
    row["posts"], row["post p50 ms"], row["post p99 ms"] = result["posts"], result["postP50Us"] / 1000, result["postP99Us"] / 1000
    wanted = options.posts * result["seconds"]
    checks = [*wsload_passed("w11", result), (f"posts sent: {result['posts']} of {wanted:.0f}", result["posts"] >= 0.98 * wanted),
              (f"all acknowledged: {result['acks']}", result["acks"] == result["posts"] > 0),
              (f"all came back as updates: {result['postsBack']}", result["postsBack"] == result["posts"]),
              (Timed(f"p99 of the round trip below 20 ms: {row['post p99 ms']:.2f}"), row["post p99 ms"] < 20)]
    finish(web.stage, "W11: posts of web clients", [row], checks)


if __name__ == "__main__":
    sys.exit(main(run, arguments(__doc__, posts={"type": int, "default": 1000, "help": "posts a second (1000)"})))
