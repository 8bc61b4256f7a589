"""An HTTPS server for tests: hands the body of each post to a DNS server of this machine, and gives a file.

https_server.py CERTIFICATE KEY DNS_PORT MODE [FILE]: prints its port, then one line a request. Modes: answer,
redirect (to a place that would answer), long (an answer that does not end), error (status 500).
"""
import http.server
import os
import socket
import ssl
import sys
import threading

certificate, key, dns_port, mode, *files = sys.argv[1:]
lines = threading.Lock()


def say(*words):
    """Prints one line whole, for each request has a thread of its own."""
    with lines:
        print(*words, flush=True)


def ask(question):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as names:
        names.settimeout(10)
        names.sendto(question, ("127.0.0.1", int(dns_port)))
        return names.recv(65535)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        say(self.path, self.headers["Content-Type"], len(body))
        self.answer(lambda: ask(body))

    def do_GET(self):
        say(self.path, "get", self.headers["Host"])
        self.answer(self.file)

    def file(self):
        with open(files[0], "rb") as file:
            return file.read()

    def answer(self, find):
        if mode == "redirect" and self.path != "/answer":
            self.send_response(307)
            self.send_header("Location", f"https://127.0.0.1:{server.server_address[1]}/answer")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if mode == "long":
            self.send_response(200)
            self.send_header("Content-Type", "application/dns-message")
            self.end_headers()
            try:
                for _ in range(1 << 20):
                    self.wfile.write(bytes(1 << 16))
            except OSError:
                say("cut off")
            self.close_connection = True
            return
        answer = find()
        self.send_response(500 if mode == "error" else 200)
        self.send_header("Content-Type", "application/dns-message")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *arguments):
        pass


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
# Whoever started this holds the other end.
sys.stdin.read()
os._exit(0)
