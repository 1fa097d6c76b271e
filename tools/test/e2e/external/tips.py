"""A subgraph of another stack, on the standard library alone: `python3 tips.py <port>`.

It answers what a gateway asks for this schema. A real one has a library for that, such as Strawberry or Ariadne.
"""

import json
import pathlib
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SDL = pathlib.Path(__file__).with_name("tips.graphql").read_text(encoding="utf-8")


def answer(query, variables):
    if "_service" in query:
        return {"_service": {"sdl": SDL}}
    if "_entities" in query:
        return {"_entities": [entity(query, key) for key in variables["representations"]]}
    return {"tips": ["Keep dry"]} if "tips" in query else {"__typename": "Query"}


def entity(query, key):
    fields = {"__typename": key["__typename"], "id": key["id"], "tip": "Keep dry"}
    return {name: value for name, value in fields.items() if name in query.split("_entities")[1]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        body = json.dumps({"data": answer(asked["query"], asked.get("variables") or {})}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
