/* The page's own program: from the profile's data to a tree, from the tree to d3-flame-graph, and
 * the panels around it. The data (see fmt_html.c, which writes them) are a tree of frames by number
 * and samples that end in its nodes; a view is a way of walking each sample's path, so layout, value,
 * split, direction and folding are all choices of makeTree. Names are only ever set as text. */
(function () {
    "use strict";
    const $ = (id) => document.getElementById(id);
    const data = JSON.parse($("profile").textContent);
    const diff = data.sides === 2;
    const MOST_PERIOD = 16, MOST_SOURCE_ROWS = 400, CONTEXT = 2;
    const state = {
        icicle: false, reverse: false, fold: false, value: data.main, split: "", side: "after",
        term: "", chart: null, root: null, selected: null,
    };

    /* ---- amounts ---- */

    const value = () => data.values[state.value];
    const totalOf = (side) => value().total[side === "before" ? 1 : 0];
    const share = (n, side) => (totalOf(side) ? n / totalOf(side) : 0);
    const percent = (x) => (100 * x).toFixed(x && Math.abs(x) < 0.1 ? 2 : 1) + " %";
    const points = (x) => (x < 0 ? "\u2212" : "+") + Math.abs(100 * x).toFixed(2) + " points";

    function scaled(n, units) {
        let i = 0;
        while (i + 1 < units.length && n >= units[i + 1][0]) i++;
        return (n / units[i][0]).toFixed(units[i][0] === 1 ? 0 : 2) + " " + units[i][1];
    }
    const times = [[1, "ns"], [1e3, "\u00b5s"], [1e6, "ms"], [1e9, "s"]];
    const sizes = [[1, "B"], [1024, "KiB"], [1048576, "MiB"], [1073741824, "GiB"]];
    function amount(n) {
        if (!n) return "0";
        const unit = value().unit;
        if (unit === "nanoseconds") return scaled(n, times);
        if (unit === "bytes") return scaled(n, sizes);
        return Math.round(n).toLocaleString("en-US");
    }

    /* Two standard errors of the difference of two shares, each drawn a little to the middle, as
     * `hone diff` has it. */
    function noise(node) {
        const n = data.samples.count[1], m = data.samples.count[0];
        if (!n || !m) return 0;
        const variance = (p, k) => {
            const drawn = (p * k + 2) / (k + 4);
            return (drawn * (1 - drawn)) / (k + 4);
        };
        return 2 * Math.sqrt(variance(share(node.before, "before"), n) + variance(share(node.after, "after"), m));
    }
    const change = (node) => share(node.after, "after") - share(node.before, "before");

    /* ---- from samples to a tree ---- */

    const paths = []; /* of each node of the data: frames from the root, made at first need */
    function pathOf(node) {
        const path = [];
        for (let n = node; n > 0; n = data.nodes.parent[n]) path.push(data.nodes.frame[n]);
        return (paths[node] = path.reverse());
    }
    const funcOf = (frame) => data.frames[frame][0];

    /* Drops rounds of a cycle: where the last P frames are procedures as the P before, those go. */
    function folded(path) {
        const out = [];
        for (const frame of path) {
            out.push(frame);
            for (let p = 1; p <= MOST_PERIOD && 2 * p <= out.length; p++) {
                let k = 0;
                while (k < p && funcOf(out[out.length - 1 - k]) === funcOf(out[out.length - 1 - k - p])) k++;
                if (k < p) continue;
                out.splice(out.length - 2 * p, p);
                break;
            }
        }
        return out;
    }

    function newNode(name, func) {
        return { name, func, value: 0, self: 0, after: 0, before: 0, samples: 0, lines: new Map(), of: new Map() };
    }
    function credit(node, line, n, before, count, isLeaf) {
        node.after += n;
        node.before += before;
        node.samples += count;
        const width = state.side === "after" ? n : before;
        node.value += width;
        if (isLeaf) node.self += width;
        if (line === null) return;
        const row = node.lines.get(line) || [0, 0];
        row[1] += width;
        if (isLeaf) row[0] += width;
        node.lines.set(line, row);
    }
    function childOf(node, key, name, func) {
        let child = node.of.get(key);
        if (!child) node.of.set(key, (child = newNode(name, func)));
        return child;
    }
    /* What a sample's labels say of the key that the view is split by. */
    function partOf(set) {
        const found = data.sets[set].filter((pair) => pair[0] === state.split).map((pair) => pair[1]);
        return state.split + ": " + (found.length ? found.join(", ") : "(none)");
    }

    function makeTree() {
        const root = newNode(data.program || "all", -1), s = data.samples;
        for (let i = 0; i < s.node.length; i++) {
            const n = s.after[state.value][i], before = diff ? s.before[state.value][i] : 0;
            const count = data.sampleValue < 0 ? 0 : s.after[data.sampleValue][i];
            let path = paths[s.node[i]] || pathOf(s.node[i]);
            if (!n && !before) continue;
            if (state.fold) path = folded(path);
            let node = root;
            credit(node, null, n, before, count, !path.length);
            if (state.split) {
                const part = partOf(s.set[i]);
                node = childOf(node, "part " + part, part, -1);
                credit(node, null, n, before, count, !path.length);
            }
            for (let k = 0; k < path.length; k++) {
                const [func, line] = data.frames[path[state.reverse ? path.length - 1 - k : k]];
                node = childOf(node, func, data.funcs[func][0], func);
                const last = state.reverse ? k === 0 : k === path.length - 1;
                credit(node, line, n, before, count, last);
            }
        }
        return withChildren(root);
    }
    /* Children as d3 wants them, largest first; without recursion, as a path may be long. */
    function withChildren(root) {
        const todo = [root];
        while (todo.length) {
            const node = todo.pop();
            node.children = [...node.of.values()].filter((c) => c.value > 0);
            node.children.sort((a, b) => b.value - a.value || (a.name < b.name ? -1 : 1));
            delete node.of;
            todo.push(...node.children);
        }
        return root;
    }

    /* ---- colours ---- */

    const isDark = () => document.documentElement.dataset.theme === "dark";
    function hash(text) {
        let h = 2166136261;
        for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
        h = Math.imul(h ^ (h >>> 16), 0x85ebca6b); /* names that differ in their last letter differ in colour */
        h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
        return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
    }
    let largestChange = 0;
    function findLargestChange(root) {
        largestChange = 0;
        for (const todo = [root]; todo.length;) {
            const node = todo.pop();
            largestChange = Math.max(largestChange, Math.abs(change(node)));
            todo.push(...node.children);
        }
    }
    function diffColour(node) {
        const delta = change(node), dark = isDark();
        if (Math.abs(delta) <= noise(node)) return dark ? "hsl(0 0% 32%)" : "hsl(0 0% 86%)";
        const strength = Math.sqrt(Math.abs(delta) / (largestChange || 1));
        const hue = delta > 0 ? 6 : 215;
        return `hsl(${hue} ${35 + 45 * strength}% ${dark ? 34 + 12 * strength : 88 - 28 * strength}%)`;
    }
    function colour(d) {
        const dark = isDark(), node = d.data;
        if (d.highlight) return dark ? "hsl(292 55% 45%)" : "hsl(292 75% 74%)";
        if (diff) return diffColour(node);
        const h = hash(node.name);
        if (node.func < 0) return dark ? "hsl(220 8% 30%)" : "hsl(220 12% 84%)";
        if (/^\[.*\]$/.test(node.name)) return dark ? `hsl(215 14% ${26 + 8 * h}%)` : `hsl(215 18% ${74 + 8 * h}%)`;
        const file = hash(data.files[data.funcs[node.func][1]] || "");
        const hue = 8 + 34 * h + 10 * file;
        return dark ? `hsl(${hue} ${42 + 18 * file}% ${29 + 9 * h}%)` : `hsl(${hue} ${78 + 18 * file}% ${64 + 12 * h}%)`;
    }

    /* ---- the chart ---- */

    const still = matchMedia("(prefers-reduced-motion: reduce)");
    const chartWidth = () => Math.max(200, $("graph").clientWidth - 14);

    function tip() {}
    tip.show = function (event, d) {
        const box = $("tip");
        box.textContent = describe(d.data);
        box.hidden = false;
        const x = Math.min(event.clientX + 12, innerWidth - box.offsetWidth - 8);
        const y = event.clientY + 14 + box.offsetHeight > innerHeight ? event.clientY - box.offsetHeight - 10 : event.clientY + 14;
        box.style.left = Math.max(4, x) + "px";
        box.style.top = Math.max(4, y) + "px";
        return tip;
    };
    tip.hide = function () {
        $("tip").hidden = true;
        return tip;
    };

    function place(func) {
        if (func < 0) return "";
        const [, file, line] = data.funcs[func];
        return file < 0 ? "" : data.files[file] + (line ? ":" + line : "");
    }
    function describe(node) {
        const rows = [node.name];
        if (place(node.func)) rows.push(place(node.func));
        if (diff) {
            rows.push(`before ${percent(share(node.before, "before"))}, after ${percent(share(node.after, "after"))}: ` +
                points(change(node)) + (Math.abs(change(node)) <= noise(node) ? ", within the noise" : ""));
        } else {
            rows.push(`total ${amount(node.value)}, ${percent(share(node.value, "after"))}`);
            rows.push(`self ${amount(node.self)}, ${percent(share(node.self, "after"))}`);
        }
        return rows.join("\n");
    }

    function draw() {
        const root = makeTree();
        tip.hide();
        $("chart").replaceChildren();
        state.selected = state.root = state.chart = null;
        if (!root.value) {
            const empty = document.createElement("p");
            empty.className = "empty";
            empty.textContent = data.samples.node.length ? "Nothing of this value was seen." : "The profile is empty: no samples were taken.";
            $("chart").append(empty);
            showDetails();
            showProcedures();
            return;
        }
        if (diff) findLargestChange(root);
        state.chart = flamegraph.default().width(chartWidth()).cellHeight(19).inverted(state.icicle)
            .transitionDuration(still.matches ? 0 : 180).minFrameSize(0.4).resetHeightOnZoom(true)
            .tooltip(tip).setColorMapper(colour).setSearchMatch((d) => matches(d.data)).setSearchHandler(() => {})
            .onClick((d) => select(d));
        d3.select("#chart").datum(root).call(state.chart);
        state.root = d3.select("#chart").datum();
        if (!state.icicle) $("graph").scrollTop = $("graph").scrollHeight;
        if (state.term) search();
        select(state.root);
        showProcedures();
    }
    /* d3-flame-graph keys frames by number, so the frames that are drawn are looked up by their datum. */
    function markSelected() {
        d3.selectAll("#chart g").classed("selected", (d) => d === state.selected);
    }
    function select(d) {
        state.selected = d;
        markSelected();
        showDetails();
    }
    function zoomTo(d) {
        state.chart.zoomTo(d);
    }
    function resetZoom() {
        if (!state.chart) return;
        state.chart.resetZoom();
        if (!state.icicle) $("graph").scrollTop = $("graph").scrollHeight;
    }
    function redraw() {
        if (!state.chart) return;
        state.chart.width(chartWidth()).update();
        markSelected();
    }

    /* ---- search ---- */

    function matches(node) {
        const term = state.term.toLowerCase();
        return node.name.toLowerCase().includes(term) || place(node.func).toLowerCase().includes(term);
    }
    /* The share of the samples in which a match occurs: topmost matches, so that none counts twice. */
    function matchedShare() {
        let sum = 0;
        for (const todo = [state.root.data]; todo.length;) {
            const node = todo.pop();
            if (matches(node)) sum += node.value;
            else todo.push(...node.children);
        }
        return sum / state.root.data.value;
    }
    function search() {
        state.term = $("search").value;
        if (!state.chart) return;
        if (state.term) {
            state.chart.search(state.term);
            $("matched").value = "matched " + percent(matchedShare());
        } else {
            state.chart.clear();
            $("matched").value = "";
        }
        markSelected();
    }

    /* ---- panels ---- */

    function element(tag, text, className) {
        const e = document.createElement(tag);
        if (text !== undefined) e.textContent = text;
        if (className) e.className = className;
        return e;
    }
    function row(cells, tag = "td") {
        const tr = element("tr");
        for (const cell of cells) tr.append(cell instanceof Node ? cell : element(tag, cell));
        return tr;
    }

    function showDetails() {
        const box = $("details"), d = state.selected;
        box.replaceChildren();
        if (!d) return;
        const node = d.data;
        box.append(element("h2", node.name));
        if (place(node.func)) box.append(element("div", place(node.func), "place"));
        box.append(figures(node));
        if (node.func >= 0) box.append(...source(node));
    }
    function figures(node) {
        const table = element("table");
        if (diff) {
            table.append(row(["", "before", "after", "change"], "th"));
            table.append(row(["total", percent(share(node.before, "before")), percent(share(node.after, "after")), points(change(node))]));
            table.append(row(["noise", "", "", "\u00b1" + (100 * noise(node)).toFixed(2) + " points"]));
            return table;
        }
        table.append(row(["", value().type, "share"], "th"));
        table.append(row(["total", amount(node.value), percent(share(node.value, "after"))]));
        table.append(row(["self", amount(node.self), percent(share(node.self, "after"))]));
        if (data.sampleValue >= 0 && data.sampleValue !== state.value) table.append(row(["samples", node.samples.toLocaleString("en-US"), ""]));
        return table;
    }

    /* The lines of the procedure, with the cost of each in this frame. */
    function source(node) {
        const file = data.funcs[node.func][1], text = file < 0 ? null : data.sources[file];
        const lines = [...node.lines.keys()].filter((n) => n > 0).sort((a, b) => a - b);
        if (!lines.length) return [];
        const box = element("div", undefined, "source"), table = element("table");
        const most = Math.max(...lines.map((n) => node.lines.get(n)[1]));
        box.append(table);
        table.append(row(["total", "self", "line", ""], "th"));
        const shown = shownLines(node, lines, text), indent = text ? commonIndent(shown, text) : 0;
        for (const n of shown)
            table.append(n === 0 ? row(["", "", "\u22ee", ""]) : sourceRow(node, n, text ? text[n - 1].slice(indent) : "", most));
        const out = [box];
        if (!text) out.push(element("p", file < 0 ? "" : "The text of this file is not in the page.", "dim"));
        return out;
    }
    /* Which lines to show, with a 0 where some are left out. */
    function shownLines(node, lines, text) {
        if (!text) return lines;
        const wanted = new Set(), start = data.funcs[node.func][2];
        if (start && start <= text.length) wanted.add(start);
        for (const n of lines)
            for (let k = n - CONTEXT; k <= n + CONTEXT; k++) if (k > 0 && k <= text.length) wanted.add(k);
        const out = [];
        for (const n of [...wanted].sort((a, b) => a - b).slice(0, MOST_SOURCE_ROWS)) {
            if (out.length && n > out[out.length - 1] + 1) out.push(0);
            out.push(n);
        }
        return out;
    }
    /* How many blanks all the lines begin with, so that what is deep inside still fits the panel. */
    function commonIndent(shown, text) {
        const indents = shown.filter((n) => n && text[n - 1] && text[n - 1].trim()).map((n) => /^ */.exec(text[n - 1])[0].length);
        return indents.length ? Math.min(...indents) : 0;
    }
    function sourceRow(node, n, line, most) {
        const cost = node.lines.get(n) || [0, 0];
        const tr = row([cost[1] ? amount(cost[1]) : "", cost[0] ? amount(cost[0]) : ""]);
        tr.append(element("td", String(n), "number"), element("td", line));
        tr.dataset.line = n;
        if (cost[1]) tr.style.background = `rgba(var(--heat), ${(0.32 * cost[1]) / most})`;
        if (cost[1] && cost[1] === most) tr.className = "hot";
        return tr;
    }

    function procedureButton(func) {
        const button = element("button", data.funcs[func][0]);
        button.type = "button";
        button.title = place(func);
        button.addEventListener("click", () => {
            $("search").value = data.funcs[func][0];
            search();
        });
        const td = element("td");
        td.append(button);
        return td;
    }
    /* The whole profile's, whatever the direction and zoom; the rows come in order. */
    function showProcedures() {
        const box = $("procedures"), table = element("table");
        box.replaceChildren(element("h2", diff ? "What changed most, by self share" : "Procedures, by self cost"), table);
        table.append(diff ? row(["before", "after", "change", "procedure"], "th") : row(["self", "", "total", "", "procedure"], "th"));
        for (const [func, self, total, selfBefore] of data.procs[state.value]) {
            const cells = diff
                ? [percent(share(selfBefore, "before")), percent(share(self, "after")), points(share(self, "after") - share(selfBefore, "before"))]
                : [amount(self), percent(share(self, "after")), amount(total), percent(share(total, "after"))];
            table.append(row([...cells, procedureButton(func)]));
        }
    }

    /* ---- choices ---- */

    function press(id, on) {
        $(id).setAttribute("aria-pressed", String(on));
    }
    function setLayout(icicle) {
        state.icicle = icicle;
        press("icicle", icicle);
        press("flame", !icicle);
        draw();
    }
    function toggle(name) {
        state[name] = !state[name];
        press(name, state[name]);
        draw();
    }
    function setTheme(dark) {
        document.documentElement.dataset.theme = dark ? "dark" : "light";
        $("theme").textContent = dark ? "Light" : "Dark";
        redraw();
    }
    function toggleHelp() {
        $("help").hidden = !$("help").hidden;
        $("keys").setAttribute("aria-expanded", String(!$("help").hidden));
    }
    function choices(id, options, chosen) {
        for (const [key, text] of options) {
            const o = element("option", text);
            o.value = key;
            o.selected = key === chosen;
            $(id).append(o);
        }
    }
    function escape() {
        if ($("search").value) {
            $("search").value = "";
            search();
        }
        resetZoom();
        if (state.root) select(state.root);
    }

    /* ---- keys ---- */

    const visible = (d) => d.value > 0;
    function neighbour(d, step) {
        if (!d.parent) return null;
        const all = d.parent.children.filter(visible), i = all.indexOf(d) + step;
        return all[i] || null;
    }
    function move(key) {
        const d = state.selected || state.root;
        const inwards = key === (state.icicle ? "ArrowDown" : "ArrowUp");
        const next = key === "ArrowLeft" ? neighbour(d, -1) : key === "ArrowRight" ? neighbour(d, 1)
            : inwards ? (d.children || []).filter(visible)[0] : d.parent;
        if (!next) return;
        select(next);
        const drawn = document.querySelector("#chart g.selected");
        if (drawn) drawn.scrollIntoView({ block: "nearest" });
    }
    const keys = {
        "/": () => $("search").focus(), i: () => setLayout(!state.icicle), r: () => toggle("reverse"),
        f: () => toggle("fold"), t: () => setTheme(!isDark()), "?": toggleHelp, Escape: escape,
    };
    function onKey(event) {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const typing = event.target === $("search");
        if (event.target.tagName === "SELECT") return;
        if (event.key === "Escape") {
            $("search").blur();
            escape();
        } else if (typing) {
            return;
        } else if (event.key.startsWith("Arrow") && state.root && document.activeElement === $("chart")) {
            move(event.key);
        } else if (event.key === "Enter" && state.selected && document.activeElement === $("chart")) {
            zoomTo(state.selected);
        } else if (Object.hasOwn(keys, event.key)) {
            keys[event.key]();
        } else {
            return;
        }
        event.preventDefault();
    }

    /* ---- start ---- */

    function start() {
        document.title = $("title").textContent = data.title;
        $("facts").textContent = data.facts;
        $("licences").textContent = $("licence-texts").textContent;
        for (const note of data.notes) $("notes").append(element("li", note));
        choices("value", data.values.map((v, i) => [String(i), `${v.type} (${v.unit})`]), String(data.main));
        choices("split", [["", "nothing"], ...data.keys.map((k) => [k, k])], "");
        $("widths").hidden = $("legend").hidden = !diff;
        $("flame").addEventListener("click", () => setLayout(false));
        $("icicle").addEventListener("click", () => setLayout(true));
        for (const name of ["reverse", "fold"]) $(name).addEventListener("click", () => toggle(name));
        $("value").addEventListener("change", () => { state.value = Number($("value").value); draw(); });
        $("split").addEventListener("change", () => { state.split = $("split").value; draw(); });
        $("side").addEventListener("change", () => { state.side = $("side").value; draw(); });
        $("search").addEventListener("input", search);
        $("reset").addEventListener("click", resetZoom);
        $("theme").addEventListener("click", () => setTheme(!isDark()));
        $("keys").addEventListener("click", toggleHelp);
        document.addEventListener("keydown", onKey);
        const dark = matchMedia("(prefers-color-scheme: dark)");
        dark.addEventListener("change", () => setTheme(dark.matches));
        setTheme(dark.matches);
        let width = chartWidth();
        new ResizeObserver(() => {
            if (chartWidth() === width) return;
            width = chartWidth();
            redraw();
        }).observe($("graph"));
        draw();
    }
    start();
})();
