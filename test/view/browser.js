// A headless Chromium, spoken to over a pipe in its own protocol: enough to open a page, to click and type as a person
// would, to look at what is there, and to know of every request and every error. Needs nothing but Node.
"use strict";
const { spawn } = require("node:child_process");
const { mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { tmpdir } = require("node:os");

const ANSWER_MS = 30000;
const flags = (profile) => [
    "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--no-default-browser-check", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-extensions", "--hide-scrollbars", "--force-device-scale-factor=1", `--user-data-dir=${profile}`, "about:blank",
];

class Browser {
    static async start() {
        const b = new Browser();
        b.folder = mkdtempSync(join(tmpdir(), "hone-view-"));
        b.process = spawn("chromium", flags(b.folder), { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
        b.process.on("error", (e) => b.fail(e));
        b.process.on("exit", () => b.fail(new Error("chromium ended")));
        b.waiting = new Map();
        b.next = 0;
        b.sent = [];
        b.errors = [];
        let text = "";
        b.process.stdio[4].setEncoding("utf8").on("data", (part) => {
            const messages = (text + part).split("\0");
            text = messages.pop();
            for (const m of messages) b.receive(JSON.parse(m));
        });
        const { targetInfos } = await b.send("Target.getTargets");
        const page = targetInfos.find((t) => t.type === "page");
        b.session = (await b.send("Target.attachToTarget", { targetId: page.targetId, flatten: true })).sessionId;
        for (const domain of ["Page", "Runtime", "Network", "Log"]) await b.send(domain + ".enable");
        await b.size(1400, 950);
        return b;
    }
    get requests() {
        return this.sent.map((r) => r.request.url);
    }
    fail(error) {
        for (const { reject } of (this.waiting || new Map()).values()) reject(error);
    }
    send(method, params = {}) {
        const id = ++this.next;
        const message = { id, method, params };
        if (this.session) message.sessionId = this.session;
        this.process.stdio[3].write(JSON.stringify(message) + "\0");
        return new Promise((resolve, reject) => {
            const timer = setTimeout(() => reject(new Error(`no answer to ${method}`)), ANSWER_MS);
            const done = (f) => (x) => { clearTimeout(timer); f(x); };
            this.waiting.set(id, { resolve: done(resolve), reject: done(reject) });
        });
    }
    receive(m) {
        const waiting = this.waiting.get(m.id);
        if (waiting) {
            this.waiting.delete(m.id);
            if (m.error) waiting.reject(new Error(m.error.message));
            else waiting.resolve(m.result);
        } else if (m.method === "Network.requestWillBeSent") {
            this.sent.push(m.params);
        } else if (m.method === "Network.loadingFailed" && m.params.blockedReason === "csp") {
            this.sent = this.sent.filter((r) => r.requestId !== m.params.requestId); // told of, but never sent
        } else if (m.method === "Runtime.exceptionThrown") {
            const d = m.params.exceptionDetails;
            this.errors.push((d.exception && d.exception.description) || d.text);
        } else if (m.method === "Log.entryAdded" && m.params.entry.level === "error") {
            this.errors.push(m.params.entry.text);
        } else if (m.method === "Page.loadEventFired" && this.loaded) {
            this.loaded();
        }
    }
    async open(path) {
        const loaded = new Promise((resolve) => { this.loaded = resolve; });
        this.sent = [];
        this.errors = [];
        await this.send("Page.navigate", { url: "file://" + path });
        await loaded;
        await this.settled();
    }
    // What an expression gives in the page, as JSON.
    async evaluate(expression) {
        const r = await this.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
        if (r.exceptionDetails) throw new Error(r.exceptionDetails.exception.description);
        return r.result.value;
    }
    // Until the frames have stopped moving: their places are the same in several looks running.
    settled() {
        return this.evaluate(`new Promise((resolve) => {
            let last = "", same = 0;
            const most = matchMedia("(prefers-reduced-motion: reduce)").matches ? 2 : 12;
            const look = () => {
                const now = [...document.querySelectorAll("#chart g")].map((g) => g.getAttribute("transform") +
                    g.querySelector("rect").getAttribute("width") + g.textContent).join();
                same = now === last ? same + 1 : 0;
                last = now;
                if (same === most) resolve(true);
                else setTimeout(look, 25);
            };
            look();
        })`);
    }
    async clickAt(x, y) {
        const at = { x, y, button: "left", clickCount: 1 };
        await this.send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
        await this.send("Input.dispatchMouseEvent", { type: "mousePressed", ...at });
        await this.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...at });
        await this.settled();
    }
    // Clicks the middle of the element that an expression gives, as a person would.
    async click(expression) {
        const at = await this.evaluate(`(() => {
            const e = ${expression};
            e.scrollIntoView({ block: "nearest" });
            const r = e.getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2];
        })()`);
        await this.clickAt(...at);
    }
    async hover(expression) {
        const at = await this.evaluate(`(() => { const r = (${expression}).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`);
        await this.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: at[0], y: at[1] });
    }
    async key(key) {
        const text = key.length === 1 ? { text: key } : {};
        await this.send("Input.dispatchKeyEvent", { type: "keyDown", key, ...text });
        await this.send("Input.dispatchKeyEvent", { type: "keyUp", key });
        await this.settled();
    }
    async type(text) {
        await this.send("Input.insertText", { text });
        await this.settled();
    }
    async choose(id, value) {
        await this.evaluate(`(() => { const e = document.getElementById(${JSON.stringify(id)}); e.value = ${JSON.stringify(value)};
            e.dispatchEvent(new Event("change")); })()`);
        await this.settled();
    }
    size(width, height) {
        return this.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    }
    // A colour scheme, and whether frames are to move.
    async prefer(scheme, motion = "reduce") {
        const features = [{ name: "prefers-color-scheme", value: scheme }, { name: "prefers-reduced-motion", value: motion }];
        await this.send("Emulation.setEmulatedMedia", { features });
        await this.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))");
    }
    async screenshot(path) {
        const { data } = await this.send("Page.captureScreenshot", { format: "png" });
        writeFileSync(path, Buffer.from(data, "base64"));
    }
    async stop() {
        const ended = new Promise((resolve) => this.process.on("exit", resolve));
        this.session = undefined;
        this.send("Browser.close").catch(() => {});
        const timer = setTimeout(() => this.process.kill("SIGKILL"), 5000);
        await ended;
        clearTimeout(timer);
        rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    }
}
module.exports = { Browser };
