// The flame graph page in a browser: what a person sees and does. Usage: node pages.js HONE [FOLDER]; screenshots go into FOLDER.
"use strict";
const { mkdtempSync, rmSync, readFileSync, writeFileSync, statSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { Browser } = require("./browser.js");
const { encode } = require("./pprof.js");
const { is, near, has, report, run, step, finish, use } = require("./check.js");

use(process.argv[2]);
const shots = process.argv[3];
const work = mkdtempSync(join(tmpdir(), "hone-pages-"));
const at = (name) => join(work, name);
const source = at("prog.scm");
writeFileSync(source, ["(define (leaf n) (* n n))", "(define (alpha n)", "  (+ 1 (leaf n))) ; the dear <line>", "(define (beta n)", "  (+ 2 (leaf n)",
    "       (gamma n)))", "(define (gamma n) (- n))", "", "(alpha 1)", "(beta 2)", "(beta 3)"].join("\n") + "\n");

/* ---- profiles with known contents ---- */

const starts = { leaf: 1, alpha: 2, beta: 4, gamma: 7, "top level": 1 };
const frame = (name, line) => ({ name, line, file: source, start: starts[name] || 1 });
const ms = 1000000;
const types = [["samples", "count"], ["cpu", "nanoseconds"], ["wall", "nanoseconds"]];
const profile = (samples) => encode({ types, main: "cpu", program: "prog.scm", samples });
const sample = (n, wall, thread, labels, ...stack) => ({ stack: stack.reverse(), values: [n, n * ms, wall * ms], labels: { thread, ...labels } });
const top = (line) => frame("top level", line);
function known(alpha, beta, gamma) {
    return profile([
        sample(alpha, 2 * alpha, "main", {}, top(9), frame("alpha", 3), frame("leaf", 1)),
        sample(beta, beta, "main", {}, top(10), frame("beta", 5), frame("leaf", 1)),
        sample(gamma, 3 * gamma, "worker", { request: "GET /x" }, top(11), frame("beta", 6), frame("gamma", 7)),
    ]);
}
function page(name, bytes, ...options) {
    writeFileSync(at(name + ".pb.gz"), bytes);
    const r = run("report", at(name + ".pb.gz"), "-o", at(name + ".html"), ...options);
    is(`${name}: hone report`, [r.code, r.out, r.err], [0, "", ""]);
    return at(name + ".html");
}

/* ---- looking at the page ---- */

let b;
// The frames that are drawn: name, share of the widest, level from the root.
const frames = () => b.evaluate(`(() => {
    const all = [...document.querySelectorAll("#chart g")].map((g) => ({ name: g.getAttribute("name"), w: Number(g.querySelector("rect").getAttribute("width")),
        y: Number(/, ?([-.0-9e]+)/.exec(g.getAttribute("transform"))[1]), fill: g.querySelector("rect").getAttribute("fill") }));
    const most = Math.max(...all.map((f) => f.w)), from = all.find((f) => f.w === most).y;
    return all.map((f) => ({ name: f.name, share: f.w / most, level: Math.abs(Math.round((f.y - from) / 19)), fill: f.fill }));
})()`);
const rounded = (list) => list.map((f) => `${f.level} ${f.name} ${Math.round(100 * f.share)}`).sort();
const g = (name) => `[...document.querySelectorAll("#chart g")].find((g) => g.getAttribute("name") === ${JSON.stringify(name)})`;
const text = (selector) => b.evaluate(`document.querySelector(${JSON.stringify(selector)}).textContent`);
const value = (id) => b.evaluate(`document.getElementById(${JSON.stringify(id)}).value`);
const pressed = (id) => b.evaluate(`document.getElementById(${JSON.stringify(id)}).getAttribute("aria-pressed")`);
const click = (id) => b.click(`document.getElementById(${JSON.stringify(id)})`);
async function clean(name) {
    is(`${name}: no error`, b.errors, []);
    is(`${name}: the only request is for the file`, b.requests.map((u) => u.slice(0, 8)), ["file:///"]);
}
async function shot(name) {
    if (shots) await b.screenshot(join(shots, name + ".png"));
}

const whole = ["0 prog.scm 100", "1 top level 100", "2 alpha 60", "2 beta 40", "3 gamma 20", "3 leaf 20", "3 leaf 60"];

async function loadsAndZooms() {
    await b.prefer("light", "no-preference");
    await b.open(page("known", known(60, 20, 20)));
    await clean("load");
    is("title", await b.evaluate("document.title"), "prog.scm");
    has("facts", await text("#facts"), "100 samples");
    is("all frames", rounded(await frames()), whole);
    has("procedures: the dearest first", await text("#procedures tr:nth-child(2)"), "80.0 %");
    await shot("flame");
    await b.click(g("alpha"));
    is("zoom: what is beside it is gone", rounded(await frames()).filter((f) => /beta|gamma/.test(f)), []);
    near("zoom: it fills the width", (await frames()).find((f) => f.name === "alpha").share, 1, 0.01);
    is("selected: name", await text("#details h2"), "alpha");
    is("selected: place", await text("#details .place"), source + ":2");
    has("selected: total", await text("#details table"), "60.00 ms60.0 %");
    is("selected: source", await text('#details tr[data-line="3"] td:last-child'), "  (+ 1 (leaf n))) ; the dear <line>");
    is("selected: cost of the line", await text('#details tr[data-line="3"] td:first-child'), "60.00 ms");
    await shot("zoomed");
    await click("reset");
    is("reset", rounded(await frames()), whole);
    await b.prefer("light");
}

async function searches() {
    await b.evaluate('document.getElementById("search").focus()');
    await b.type("LEAF");
    is("search: share", await value("matched"), "matched 80.0 %");
    is("search: highlighted", (await frames()).filter((f) => f.fill.startsWith("hsl(292") ).map((f) => f.name), ["leaf", "leaf"]);
    await shot("search");
    await b.key("Escape");
    is("search dropped", [await value("search"), await value("matched")], ["", ""]);
    await b.evaluate('document.getElementById("search").focus()');
    await b.type("(");
    is("search: a bracket is text", await value("matched"), "matched 0.0 %");
    await b.key("Escape");
    is("search: none highlighted", (await frames()).filter((f) => f.fill.startsWith("hsl(292")).length, 0);
    await b.click('[...document.querySelectorAll("#procedures button")].find((e) => e.textContent === "gamma")');
    is("search from the table", await value("matched"), "matched 20.0 %");
    await b.key("Escape");
    is("no error after searches", b.errors, []);
}

async function switches() {
    await click("reverse");
    is("reverse: by leaf", rounded(await frames()), ["0 prog.scm 100", "1 gamma 20", "1 leaf 80", "2 alpha 60", "2 beta 20", "2 beta 20",
        "3 top level 20", "3 top level 20", "3 top level 60"]);
    await b.click(g("leaf"));
    has("reverse: self is kept", await text("#details table"), "self80.00 ms80.0 %");
    await shot("reverse");
    await click("reverse");
    await b.choose("split", "thread");
    is("split by thread", rounded(await frames()).slice(1, 3), ["1 thread: main 80", "1 thread: worker 20"]);
    await b.choose("split", "request");
    is("split by label", rounded(await frames()).slice(1, 3), ["1 request: (none) 80", "1 request: GET /x 20"]);
    await shot("split");
    await b.choose("split", "");
    is("whole again", rounded(await frames()), whole);
    await b.choose("value", "2");
    is("wall: 120 of 200", rounded(await frames()).filter((f) => / (alpha|beta) /.test(f)), ["2 alpha 60", "2 beta 40"]);
    await b.click(g("gamma"));
    has("wall: amounts", await text("#details table"), "60.00 ms30.0 %");
    await b.choose("value", "1");
    await click("icicle");
    is("icicle: the root is on top", await b.evaluate(`/, ?0\\)/.test(${g("prog.scm")}.getAttribute("transform"))`), true);
    is("icicle: same frames", rounded(await frames()), whole);
    await shot("icicle");
    await click("flame");
    is("flame: the root is at the bottom", await b.evaluate(`/, ?0\\)/.test(${g("prog.scm")}.getAttribute("transform"))`), false);
}

async function themes() {
    const background = () => b.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await background();
    await click("theme");
    is("dark by button", await b.evaluate("document.documentElement.dataset.theme"), "dark");
    report("dark is darker", (await background()) !== light, light);
    await click("theme");
    is("light again", await background(), light);
    await b.prefer("dark");
    is("dark by preference", await b.evaluate("document.documentElement.dataset.theme"), "dark");
    await shot("dark");
    await b.prefer("light");
}

async function keys() {
    const selected = () => text("#details h2");
    await b.evaluate('document.getElementById("chart").focus()');
    await b.key("Escape");
    await b.key("ArrowUp");
    await b.key("ArrowUp");
    is("up goes to the heaviest callee", await selected(), "alpha");
    await b.key("ArrowRight");
    is("right goes to the next", await selected(), "beta");
    is("the frame is marked", await b.evaluate('document.querySelector("#chart g.selected").getAttribute("name")'), "beta");
    await b.key("Enter");
    near("Enter zooms", (await frames()).find((f) => f.name === "beta").share, 1, 0.01);
    await b.key("Escape");
    is("Escape shows all", rounded(await frames()), whole);
    await b.key("ArrowDown");
    await b.key("i");
    is("i: icicle", await pressed("icicle"), "true");
    await b.key("i");
    await b.key("r");
    is("r: reverse", await pressed("reverse"), "true");
    await b.key("r");
    await b.key("/");
    is("/: search", await b.evaluate("document.activeElement.id"), "search");
    await b.key("Escape");
    await b.hover(g("alpha"));
    is("the tip", await text("#tip"), `alpha\n${source}:2\ntotal 60.00 ms, 60.0 %\nself 0, 0.0 %`);
}

// Nothing in the page can reach the network, even if it tried.
async function network() {
    const before = b.requests.length;
    is("fetch is refused", await b.evaluate('fetch("http://127.0.0.1:9/x").then(() => "went", () => "refused")'), "refused");
    is("an image is refused", await b.evaluate(`new Promise((done) => { const i = new Image(); i.onerror = () => done("refused");
        i.onload = () => done("went"); i.src = "http://127.0.0.1:9/x.png"; })`), "refused");
    is("no request was made", b.requests.slice(before).filter((u) => /^http/.test(u)), []);
}

const hostile = ['</script><b id="broken">bold</b>', "<!--", "]]>", "&amp;", "a\"b'c", "\u2028\u2029", "tab\tnew\nline\u001b[31m", "na\u00efve \u6f22\u5b57 \u{1f600}", "__proto__", "constructor", "  spaces  "];
async function escapes() {
    const bytes = profile(hostile.map((name) => sample(10, 10, `thread ${name}`, { [name.trim()]: name }, { name: "top", file: "a" + name, line: 1, start: 1 },
        { name, file: "b" + name, line: 2, start: 1 })));
    const path = page("hostile", bytes), html = readFileSync(path, "utf8");
    const tags = (s) => [s.match(/<script/gi).length, s.match(/<\/script/gi).length, (s.match(/<!--/g) || []).length];
    is("hostile: as many script tags as without", tags(html), tags(readFileSync(at("known.html"), "utf8")));
    await b.open(path);
    await clean("hostile");
    is("hostile: no element came of a name", await b.evaluate('document.getElementById("broken")'), null);
    is("hostile: every name is drawn", (await frames()).map((f) => f.name).filter((n) => n !== "prog.scm" && !n.startsWith("top")).sort(), [...hostile].sort());
    for (const name of hostile.slice(0, 3)) {
        await b.click(g(name));
        is(`hostile: ${JSON.stringify(name)} as text`, await text("#details h2"), name);
        await click("reset");
    }
    await b.choose("split", "thread");
    await b.choose("split", "__proto__");
    is("hostile: still no error", b.errors, []);
    await shot("hostile");
}

async function compares() {
    writeFileSync(at("before.pb.gz"), known(600, 200, 200));
    writeFileSync(at("after.pb.gz"), known(300, 202, 498));
    const r = run("diff", at("before.pb.gz"), at("after.pb.gz"), "-o", at("diff.html"));
    is("hone diff -o", [r.code, r.out, r.err], [0, "", ""]);
    await b.open(at("diff.html"));
    await clean("diff");
    const hue = async (name) => Number(/hsl\((\d+) (\d+)/.exec((await frames()).find((f) => f.name === name).fill).slice(1, 3).map((n, i) => (i && n === "0" ? "-1" : n))[0]);
    const fills = Object.fromEntries((await frames()).map((f) => [f.name, f.fill]));
    is("what grew is red", await hue("gamma"), 6);
    is("what shrank is blue", await hue("alpha"), 215);
    is("what changed within the noise is grey", /^hsl\(0 0%/.test(fills["top level"]), true);
    await b.hover(g("gamma"));
    has("the tip has both shares", await text("#tip"), "before 20.0 %, after 49.8 %: +29.80 points");
    await b.click(g("gamma"));
    has("details: both shares", await text("#details table"), "20.0 %49.8 %+29.80 points");
    await click("reset");
    await b.choose("side", "before");
    is("widths before", rounded(await frames()), whole);
    await b.choose("side", "after");
    await shot("diff");
    await b.prefer("dark");
    await shot("diff-dark");
    await b.prefer("light");
    is("diff: no error", b.errors, []);
}

// Stacks of 200,000 frames, and 60,000 different ones: pages stay small, open, and say what was left out.
async function large() {
    const deep = [frame("leaf", 1)];
    for (let i = 0; i < 100000; i++) deep.push(frame("alpha", 3), frame("beta", 5));
    deep.push(top(9));
    const cpu = (stack) => ({ stack, values: [1, ms, ms], labels: {} });
    await b.open(page("deep", profile([cpu(deep), cpu([top(9)])])));
    await clean("deep");
    is("deep: recursion is folded", rounded(await frames()).filter((f) => / leaf /.test(f)), ["4 leaf 50"]);
    has("deep: it says so", await text("#notes"), "rounds of recursion");
    const many = [];
    for (let i = 0; i < 60000; i++) many.push(cpu([...(i * 7919 % 65536).toString(4).padStart(8, "0")].map((d, k) => frame("p" + d + k, 1)).concat(top(9))));
    const path = page("many", profile(many));
    report("many: the page is small", statSync(path).size < 5e6, statSync(path).size);
    await b.open(path);
    await clean("many");
    has("many: it says so", await text("#notes"), "merged into [smaller]");
    has("many: nothing is lost", await text("#details table"), "60.00 s100.0 %");
    await b.click('[...document.querySelectorAll("#chart g")].find((g) => /^p/.test(g.getAttribute("name")))');
    is("many: zoomed", b.errors, []);
    await shot("many");
    const all = [];
    for (let i = 0; i < 2000; i++) all.push({ name: "f" + i, file: "", line: 1, start: 1 });
    await b.open(page("distinct", profile([cpu(all)])));
    await clean("distinct");
    has("2,000 different levels: cut", await text("#notes"), "[deeper]");
    await b.key("/");
    await b.type("deeper");
    is("2,000 levels: search", await value("matched"), "matched 100.0 %");
    await b.open(page("empty", profile([])));
    await clean("empty");
    has("empty: it says so", await text("#chart"), "The profile is empty");
    await shot("empty");
}

// Rounds of a recursion through two procedures, and of one that calls itself, as one round of each.
async function folds() {
    const cpu = (n, ...names) => ({ stack: names.map((name) => frame(name, 3)).reverse(), values: [n, n * ms, n * ms], labels: {} });
    await b.open(page("rounds", profile([cpu(60, "run", "ping", "pong", "ping", "pong", "ping", "pong", "leaf"), cpu(40, "run", "self", "self", "self")])));
    const levels = async () => (await frames()).map((f) => `${f.level} ${f.name}`).sort();
    is("unfolded: each level", (await levels()).length, 12);
    await b.evaluate('document.activeElement.blur()');
    await b.key("f");
    is("folded", await levels(), ["0 prog.scm", "1 run", "2 ping", "2 self", "3 pong", "4 leaf"]);
    await b.click(g("pong"));
    has("folded: the cost is kept", await text("#details table"), "60.00 ms60.0 %");
    await b.key("f");
    is("unfolded again", (await levels()).length, 12);
    is("folds: no error", b.errors, []);
}

async function withoutSources() {
    const path = page("bare", known(60, 20, 20), "--no-sources");
    is("--no-sources: no text of the file", readFileSync(path, "utf8").includes("the dear"), false);
    is("with sources: the text", readFileSync(at("known.html"), "utf8").includes("the dear"), true);
}

(async () => {
    b = await Browser.start();
    for (const f of [loadsAndZooms, searches, switches, themes, keys, network, escapes, compares, folds, large, withoutSources]) await step(f.name, f);
    await b.stop();
    rmSync(work, { recursive: true, force: true });
    finish();
})().catch((e) => {
    console.log(e.stack);
    finish();
    process.exit(1);
});
