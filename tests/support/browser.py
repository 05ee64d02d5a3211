"""A headless Chromium that opens a page, for tests: through pipes, by the DevTools protocol."""

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-dev-shm-usage",
         "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
         "--no-first-run", "--disable-extensions", "--disable-background-networking",
         "--force-device-scale-factor=1")  # fmt: skip


def find():
    """The path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """`messages`: what pages wrote to the console, exceptions and failed loads among it;
    `requests`: the addresses that pages asked for."""

    def __init__(self, program, size=(1280, 900), patience=120.0):
        self.folder = tempfile.TemporaryDirectory()
        self.patience, self.count, self.answers = patience, 0, {}
        self.messages, self.requests, self.rest = [], [], b""
        ours_in, self.write_to = os.pipe()
        self.read_from, ours_out = os.pipe()
        shift = f"exec 3<&{ours_in} 4>&{ours_out}; exec \"$@\""
        command = [program, *FLAGS, f"--user-data-dir={self.folder.name}",
                   f"--window-size={size[0]},{size[1]}", "about:blank"]  # fmt: skip
        self.process = subprocess.Popen(
            ["bash", "-c", shift, "bash", *command], pass_fds=(ours_in, ours_out),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)  # fmt: skip
        os.close(ours_in)
        os.close(ours_out)
        targets = self.ask("Target.getTargets")["targetInfos"]
        target = next(found for found in targets if found["type"] == "page")
        self.session = None
        self.session = self.ask("Target.attachToTarget", targetId=target["targetId"],
                                flatten=True)["sessionId"]  # fmt: skip
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")
        self.ask("Emulation.setDeviceMetricsOverride", width=size[0], height=size[1],
                 deviceScaleFactor=1, mobile=False)  # fmt: skip

    def ask(self, method, **parameters):
        """The answer to a command. RuntimeError: it is an error. TimeoutError: there is none."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        os.write(self.write_to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + self.patience
        while self.count not in self.answers:
            self.read(end, method)
        answer = self.answers.pop(self.count)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer.get("result", {})

    def read(self, end, waiting_for):
        ready, _, _ = select.select([self.read_from], [], [], max(0, end - time.monotonic()))
        data = os.read(self.read_from, 1 << 20) if ready else b""
        if not data:
            raise TimeoutError(f"Chromium does not answer {waiting_for}")
        *whole, self.rest = (self.rest + data).split(b"\0")
        for text in whole:
            self.take(json.loads(text))

    def take(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if "id" in message:
            self.answers[message["id"]] = message
        elif method == "Runtime.consoleAPICalled":
            words = [str(part.get("value", part.get("description"))) for part in parameters["args"]]
            self.messages.append(f"{parameters['type']}: {' '.join(words)}")
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.messages.append(f"exception: {details.get('exception', details)}")
        elif method == "Log.entryAdded":
            self.messages.append(f"{parameters['entry']['level']}: {parameters['entry']['text']}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def open(self, path):
        self.ask("Page.navigate", url="file://" + os.path.abspath(path))

    def value(self, expression):
        """The value of a JavaScript expression, awaited."""
        answer = self.ask("Runtime.evaluate", expression=expression, awaitPromise=True,
                          returnByValue=True)  # fmt: skip
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait(self, expression):
        """Waits until an expression is true. TimeoutError: it never is."""
        end = time.monotonic() + self.patience
        while not self.value(expression):
            if time.monotonic() > end:
                raise TimeoutError(f"never true: {expression}; the console: {self.messages}")
            time.sleep(0.05)

    def drag(self, start, end, steps=8):
        """Presses the mouse at a place (pixels), moves it, and lets it go."""
        def mouse(kind, place, **more):
            self.ask("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], **more)

        mouse("mouseMoved", start)
        mouse("mousePressed", start, button="left", buttons=1, clickCount=1)
        for k in range(1, steps + 1):
            place = [a + (b - a) * k / steps for a, b in zip(start, end)]
            mouse("mouseMoved", place, button="left", buttons=1)
            time.sleep(0.02)
        mouse("mouseReleased", end, button="left", buttons=0, clickCount=1)

    def picture(self, path=None):
        """A PNG of the window, as bytes; also into a file."""
        data = base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"])
        if path:
            with open(path, "wb") as file:
                file.write(data)
        return data

    def close(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        os.close(self.write_to)
        os.close(self.read_from)
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()
