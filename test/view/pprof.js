// pprof's profile.proto, written and read by hand (field numbers as in the published format), so that what Hone reads and writes is
// held against something that is not Hone.
"use strict";
const zlib = require("node:zlib");

/* ---- writing ---- */

function varint(n) {
    const out = [];
    for (n = BigInt.asUintN(64, BigInt(n)); n > 127n; n >>= 7n) out.push(Number(n & 127n) | 128);
    out.push(Number(n));
    return Buffer.from(out);
}
const number = (field, n) => Buffer.concat([varint(field << 3), varint(n)]);
const bytes = (field, b) => Buffer.concat([varint((field << 3) | 2), varint(b.length), b]);
const message = (field, parts) => bytes(field, Buffer.concat(parts));
const packed = (field, numbers) => bytes(field, Buffer.concat(numbers.map(varint)));

// { types: [[type, unit]], main, program, samples: [{ stack: [{ name, file, line, start }] from the leaf, values, labels: {} }] }
function encode(p) {
    const strings = new Map([["", 0]]), functions = new Map(), locations = new Map(), parts = [];
    const text = (s) => strings.get(s) ?? (strings.set(s, strings.size), strings.size - 1);
    const numbered = (map, key, value) => {
        if (!map.has(key)) map.set(key, { id: map.size + 1, ...value });
        return map.get(key).id;
    };
    const location = (f) => {
        const func = numbered(functions, JSON.stringify([f.name, f.file, f.start]), { f });
        return numbered(locations, func + ":" + f.line, { func, line: f.line });
    };
    for (const [type, unit] of p.types) parts.push(message(1, [number(1, text(type)), number(2, text(unit))]));
    for (const s of p.samples) {
        const labels = Object.entries(s.labels || {}).map(([k, v]) => message(3, [number(1, text(k)), number(2, text(v))]));
        parts.push(message(2, [packed(1, s.stack.map(location)), packed(2, s.values), ...labels]));
    }
    parts.push(message(3, [number(1, 1), number(5, text(p.program))]));
    for (const l of locations.values())
        parts.push(message(4, [number(1, l.id), number(2, 1), message(4, [number(1, l.func), number(2, l.line)])]));
    for (const { id, f } of functions.values())
        parts.push(message(5, [number(1, id), number(2, text(f.name)), number(4, text(f.file)), number(5, f.start)]));
    parts.push(number(14, text(p.main)));
    for (const s of strings.keys()) parts.push(bytes(6, Buffer.from(s)));
    return zlib.gzipSync(Buffer.concat(parts));
}

/* ---- reading ---- */

// The fields of a message: [number, value], where the value is a BigInt or a Buffer.
function* fields(b) {
    let at = 0;
    const next = () => {
        let n = 0n;
        for (let shift = 0n; ; shift += 7n) {
            const byte = b[at++];
            n |= BigInt(byte & 127) << shift;
            if (byte < 128) return n;
        }
    };
    while (at < b.length) {
        const key = Number(next());
        if ((key & 7) === 0) yield [key >> 3, next()];
        else if ((key & 7) === 2) {
            const length = Number(next());
            yield [key >> 3, b.subarray(at, at + length)];
            at += length;
        } else throw new Error("a field of kind " + (key & 7));
    }
}
function numbers(b) {
    if (typeof b === "bigint") return [b];
    const out = [];
    for (let n = 0n, shift = 0n, i = 0; i < b.length; i++) {
        n |= BigInt(b[i] & 127) << shift;
        shift += 7n;
        if (b[i] < 128) out.push(n), (n = 0n), (shift = 0n);
    }
    return out;
}
// Samples as encode takes them (with no `start`), from the bytes of a file.
function decode(file) {
    const strings = [], functions = new Map(), locations = new Map(), samples = [], types = [];
    const all = [...fields(zlib.gunzipSync(file))];
    for (const [f, v] of all) if (f === 6) strings.push(v.toString());
    const single = (b) => Object.fromEntries([...fields(b)].filter(([, v]) => typeof v === "bigint").map(([f, v]) => [f, Number(v)]));
    for (const [f, v] of all) if (f === 5) {
        const s = single(v);
        functions.set(s[1], { name: strings[s[2]], file: strings[s[4] || 0] });
    }
    for (const [f, v] of all) {
        if (f === 1) types.push([strings[single(v)[1]], strings[single(v)[2]]]);
        if (f !== 4) continue;
        const lines = [...fields(v)].filter(([n]) => n === 4).map(([, line]) => single(line));
        locations.set(single(v)[1], lines.map((l) => ({ ...functions.get(l[1]), line: l[2] || 0 })));
    }
    for (const [f, v] of all) {
        if (f !== 2) continue;
        const s = { stack: [], values: [], labels: {} };
        for (const [n, value] of fields(v)) {
            if (n === 1) for (const id of numbers(value)) s.stack.push(...locations.get(Number(id)));
            if (n === 2) s.values.push(...numbers(value).map(Number));
            if (n === 3) s.labels[strings[single(value)[1]]] = strings[single(value)[2]];
        }
        samples.push(s);
    }
    return { types, samples };
}
module.exports = { encode, decode };
