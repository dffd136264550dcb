// Names that bite, through every format: profiles of random names are written as pprof by hand, converted by Hone, and read back by
// readers of each format that share nothing with it. Usage: node formats.js HONE [SEED].
"use strict";
const { mkdtempSync, rmSync, readFileSync, writeFileSync } = require("node:fs");
const { spawnSync } = require("node:child_process");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { encode, decode } = require("./pprof.js");
const { is, has, run, step, finish, use } = require("./check.js");

use(process.argv[2]);
const work = mkdtempSync(join(tmpdir(), "hone-formats-"));
let seed = Number(process.argv[3]) || 20240229;
function random(n) { // xorshift: the same names in every run
    seed ^= seed << 13, (seed ^= seed >>> 17), (seed ^= seed << 5);
    return (seed >>> 0) % n;
}

/* ---- profiles ---- */

const pieces = [" ", ";", "<", ">", "&", "\"", "'", "\n", "\t", "\r", "\u0001", "\u001b[1m", "\u007f", "\u0085", "\u2028", "\u2029", "\ufeff", "%", "%3B", "%41", "\\", "\\n",
    "\\x41;", "</script>", "<!--", "-->", "]]>", "&lt;", ",", "|", "(", ")", "#t", "\u00e9", "e\u0301", "\u6f22", "\u{1f600}", "\u202e", "a", "Z", "0", "12", "  ", "=", "@", ":3", "__proto__"];
const name = () => Array.from({ length: 1 + random(7) }, () => pieces[random(pieces.length)]).join("") + "/n" + random(1e6);
function makeProfile() {
    const funcs = Array.from({ length: 12 }, (_, i) => ({ name: name(), file: "/no/" + name(), start: 1 + i, line: 2 + i }));
    const samples = Array.from({ length: 20 }, () => {
        const n = 1 + random(50);
        return { stack: Array.from({ length: 1 + random(6) }, () => funcs[random(funcs.length)]), values: [n, n * 1000003], labels: { thread: name(), [name()]: name() } };
    });
    return { types: [["samples", "count"], ["cpu", "nanoseconds"]], main: "cpu", program: name(), samples };
}

/* ---- what a profile says, in one shape: sums by key, as sorted rows ---- */

function sums(rows) {
    const all = new Map();
    for (const [key, n] of rows) all.set(JSON.stringify(key), (all.get(JSON.stringify(key)) || 0) + n);
    return [...all].sort((a, b) => (a[0] < b[0] ? -1 : 1));
}
const names = (s) => s.stack.map((f) => f.name).reverse();
const places = (s) => s.stack.map((f) => [f.name, f.file, f.line]).reverse();
const sortedLabels = (labels) => Object.entries(labels).sort((a, b) => (a[0] < b[0] ? -1 : 1));

/* ---- readers ---- */

function readFolded(text) {
    const plain = (s) => Buffer.from(s.replace(/[^%]|%[0-9A-F]{2}/gsu, (c) => (c.length === 3 && c[0] === "%" ? String.fromCharCode(parseInt(c.slice(1), 16)) : Buffer.from(c).toString("latin1"))), "latin1").toString();
    return text.split("\n").filter(Boolean).map((line) => {
        const space = line.lastIndexOf(" ");
        return [line.slice(0, space).split(";").map(plain), Number(line.slice(space + 1))];
    });
}
function readSpeedscope(text) {
    const { shared, profiles } = JSON.parse(text);
    return profiles.flatMap((p) => p.samples.map((s, i) => [{ thread: p.name, stack: s.map((f) => [shared.frames[f].name, shared.frames[f].file]) }, p.weights[i]]));
}
function pageData(html) {
    const start = html.indexOf('id="profile">') + 'id="profile">'.length;
    return JSON.parse(html.slice(start, html.indexOf("</script", start))); // as a browser finds the end
}
function readPage(html) {
    const d = pageData(html);
    return d.samples.node.map((node, i) => {
        const stack = [];
        for (let n = node; n > 0; n = d.nodes.parent[n]) {
            const [func, line] = d.frames[d.nodes.frame[n]];
            stack.unshift([d.funcs[func][0], d.files[d.funcs[func][1]], line]);
        }
        const labels = d.sets[d.samples.set[i]].slice().sort((a, b) => (a[0] < b[0] ? -1 : 1));
        return [{ stack, labels }, d.samples.after[1][i]];
    });
}
function readCsv(text) { // RFC 4180
    const rows = [[]];
    for (let i = 0; i < text.length;) {
        let field = "";
        if (text[i] === '"') {
            for (i++; ; i++) {
                if (text[i] === '"' && text[++i] !== '"') break;
                field += text[i];
            }
        } else while (i < text.length && text[i] !== "," && text[i] !== "\n") field += text[i++];
        rows[rows.length - 1].push(field);
        if (text[i++] === "\n" && i < text.length) rows.push([]);
    }
    return rows;
}
function readScheme(text) { // R7RS data of lists, strings, numbers and symbols; strings come as { s }
    let i = 0;
    const escapes = { n: "\n", t: "\t", r: "\r", a: "\u0007", b: "\b" };
    const skip = () => {
        for (;;) {
            while (/\s/.test(text[i] || "x")) i++;
            if (text[i] !== ";") return;
            while (text[i] !== "\n") i++;
        }
    };
    const string = () => {
        let s = "";
        for (i++; text[i] !== '"'; i++) {
            if (text[i] !== "\\") s += text[i];
            else if (text[++i] === "x") {
                const end = text.indexOf(";", i);
                s += String.fromCodePoint(parseInt(text.slice(i + 1, end), 16));
                i = end;
            } else s += escapes[text[i]] ?? text[i];
        }
        i++;
        return { s };
    };
    const datum = () => {
        skip();
        if (text[i] === '"') return string();
        if (text[i] !== "(") {
            const word = /^[^\s()";]+/.exec(text.slice(i))[0];
            i += word.length;
            return /^[-+]?\d+$/.test(word) ? Number(word) : word;
        }
        const list = [];
        for (i++, skip(); text[i] !== ")"; skip()) list.push(datum());
        i++;
        return list;
    };
    return datum();
}
function readScm(text) {
    const d = new Map(readScheme(text).map((row) => [row[0], row.slice(1)]));
    const procs = d.get("procedures"), pair = (l) => [l[0].s, (l[2] ?? l[1]).s]; // (key . value)
    return d.get("samples").map(([thread, labels, values, frames]) => [{
        stack: frames.map(([f, line]) => [procs[f][0].s, procs[f][2].s, line]).reverse(),
        labels: [["thread", thread.s], ...labels.map(pair)].sort((a, b) => (a[0] < b[0] ? -1 : 1)),
    }, values[1]]);
}

/* ---- the property ---- */

function converted(path, format) {
    const out = join(work, "out");
    const r = run("report", "--format", format, "-o", out, path);
    is(`${format}: written`, [r.code, r.err], [0, ""]);
    return readFileSync(out);
}
function check(round) {
    const p = makeProfile(), path = join(work, "p.pb.gz");
    writeFileSync(path, encode(p));
    const cpu = (key) => sums(p.samples.map((s) => [key(s), s.values[1]]));
    const whole = cpu((s) => ({ stack: places(s), labels: sortedLabels(s.labels) }));
    const text = (format) => converted(path, format).toString();
    is(`${round}: folded`, sums(readFolded(text("folded"))), sums(p.samples.map((s) => [names(s), s.values[0]])));
    is(`${round}: speedscope`, sums(readSpeedscope(text("speedscope"))),
        cpu((s) => ({ thread: s.labels.thread, stack: s.stack.map((f) => [f.name, f.file]).reverse() })));
    is(`${round}: page`, sums(readPage(text("html"))), whole);
    is(`${round}: scm`, sums(readScm(text("scm"))), whole);
    is(`${round}: pprof`, sums(decode(converted(path, "pprof")).samples.map((s) => [{ stack: places(s), labels: sortedLabels(s.labels) }, s.values[1]])), whole);
    const [head, ...rows] = readCsv(text("csv"));
    is(`${round}: csv: the columns`, [head.slice(0, 4), head[4]], [["procedure", "file", "line", "column"], "self cpu nanoseconds"]);
    is(`${round}: csv`, sums(rows.map((r) => [[r[0], r[1]], Number(r[4])])).filter(([, n]) => n), sums(p.samples.map((s) => [[s.stack[0].name, s.stack[0].file], s.values[1]])));
    const again = join(work, "again.pb.gz");
    writeFileSync(again, converted(path, "pprof"));
    const merged = join(work, "merged.pb.gz"), r = run("merge", "-o", merged, path + "=2", again);
    is(`${round}: merge`, [r.code, r.err], [0, ""]);
    is(`${round}: merged by weight`, sums(decode(readFileSync(merged)).samples.map((s) => [{ stack: places(s), labels: sortedLabels(s.labels) }, s.values[1]])),
        whole.map(([key, n]) => [key, 3 * n]));
    return again;
}
// Google's own reader takes what Hone writes; it prints names as they are, so a line break in one is a line break.
function google(path) {
    const r = spawnSync("go", ["tool", "pprof", "-raw", path], { env: { ...process.env, PPROF_TMPDIR: work } });
    if (r.error) return;
    is("go tool pprof: status", r.status, 0);
    for (const s of decode(readFileSync(path)).samples) has("go tool pprof: a name", r.stdout.toString(), s.stack[0].name);
}

(async () => {
    let last;
    for (let round = 1; round <= 8; round++) await step(`round ${round}`, () => { last = check(round); });
    await step("go", () => google(last));
    rmSync(work, { recursive: true, force: true });
    finish();
})();
