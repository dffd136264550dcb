// Counting checks, and running the hone command.
"use strict";
const { spawnSync } = require("node:child_process");
const { isDeepStrictEqual, inspect } = require("node:util");

const counts = { passed: 0, failed: 0 };
function report(name, ok, detail) {
    counts[ok ? "passed" : "failed"]++;
    if (!ok) console.log(`failed: ${name}\n${detail}`);
}
const is = (name, value, wanted) =>
    report(name, isDeepStrictEqual(value, wanted), `got:    ${inspect(value, { depth: 6 })}\nwanted: ${inspect(wanted, { depth: 6 })}`.slice(0, 3000));
const near = (name, value, wanted, by) => report(name, Math.abs(value - wanted) <= by, `got:    ${value}\nwanted: ${wanted} +- ${by}`);
const has = (name, text, part) => report(name, String(text).includes(part), `no ${JSON.stringify(part)} in:\n${String(text).slice(0, 2000)}`);

let hone;
function run(...words) {
    const r = spawnSync(hone, words, { maxBuffer: 1 << 28 });
    return { code: r.status, out: r.stdout.toString(), err: r.stderr.toString(), bytes: r.stdout };
}
// What a step throws is a failure of its name; the others go on.
async function step(name, body) {
    try {
        await body();
    } catch (e) {
        report(name, false, e.stack);
    }
}
function finish() {
    console.log(`${counts.passed} passed, ${counts.failed} failed`);
    process.exitCode = counts.failed ? 1 : 0;
}
module.exports = { is, near, has, report, run, step, finish, use: (path) => { hone = path; } };
