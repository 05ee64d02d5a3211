// The page of a report: facts as tables, viewers with one slider, curves that are drawn when seen.
"use strict";
const report = JSON.parse(document.getElementById("report").textContent);
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#333333", "#56b4e9",
    "#7f3c8d", "#b5bd00", "#a0522d"];
const several = report.runs.length > 1;
const state = {viewers: [], panels: [], time: null};

function element(tag, words = "", kind = "") {
    const made = document.createElement(tag);
    made.textContent = words;
    if (kind) made.className = kind;
    return made;
}

function add(parent, ...children) {
    parent.append(...children);
    return parent;
}

// --- Viewers ---

async function openViewers() {
    const shown = report.viewers.flatMap((entry, number) => entry ? [[entry, number]] : []);
    const place = document.getElementById("viewers");
    if (!shown.length) return;
    place.classList.toggle("several", shown.length > 1);
    const opened = [];
    for (const [entry, number] of shown) {
        const box = element("div", "", "viewer"), canvas = element("div", "", "canvas");
        if (several) box.append(element("h3", report.labels[number]));
        box.append(canvas);
        if (entry.thinned.length) box.append(element("p", entry.thinned.join("; "), "soft"));
        place.append(box);
        opened.push(new Viewer(entry, canvas));
    }
    for (const viewer of opened) await viewer.open(); // all have their places, and so their widths
    state.viewers = opened;
    addControls();
}

function addControls() {
    const place = document.getElementById("controls");
    const longest = state.viewers.reduce((a, b) => b.times.length > a.times.length ? b : a);
    const slider = element("input"), output = element("output"), play = element("button", "Play");
    Object.assign(slider, {type: "range", min: 0, max: longest.times.length - 1, value: 0,
        id: "slider"});
    slider.setAttribute("aria-label", "time");
    play.id = "play";
    let wanted = null, timer = null;
    const unit = longest.entry.timeUnit;
    async function go() { // one at a time; the last wish is fulfilled
        if (wanted !== null) return;
        while (wanted !== +slider.value) {
            wanted = +slider.value;
            const time = longest.times[wanted];
            output.textContent = "t = " + time.toPrecision(4) + " " + unit;
            for (const viewer of state.viewers) await viewer.draw(viewer.nearest(time));
            await setTime(time);
        }
        wanted = null;
        document.body.dataset.shown = slider.value;
    }
    slider.addEventListener("input", go);
    play.addEventListener("click", () => {
        if (timer) {
            clearInterval(timer);
            timer = null;
        } else {
            timer = setInterval(() => {
                if (wanted !== null) return;
                slider.value = (+slider.value + 1) % (+slider.max + 1);
                go();
            }, 120);
        }
        play.textContent = timer ? "Stop" : "Play";
    });
    add(place, play, slider, output);
    addChoices(place);
    go();
}

async function drawAgain(change) {
    for (const viewer of state.viewers) {
        change(viewer);
        await viewer.draw(viewer.number);
    }
}

// What colours the water, and whether one sees through it.
function addChoices(place) {
    const fields = state.viewers[0].entry.fields;
    if (fields.length > 1 && state.viewers.every(v => v.entry.fields.length === fields.length)) {
        const choice = element("select");
        choice.id = "field";
        choice.setAttribute("aria-label", "colours");
        fields.forEach((field, k) => choice.append(new Option(field.name, k)));
        choice.addEventListener("change", () => drawAgain(v => { v.field = +choice.value; }));
        place.append(choice);
    }
    if (state.viewers.some(viewer => viewer.corners)) {
        const label = element("label", " see through"), box = element("input");
        Object.assign(box, {type: "checkbox", id: "clear"});
        box.addEventListener("change", () => drawAgain(v => { v.isClear = box.checked; }));
        label.prepend(box);
        place.append(label);
    }
}

// --- Curves ---

function cursor() {
    if (state.time === null) return [];
    return [{type: "line", x0: state.time, x1: state.time, yref: "paper", y0: 0, y1: 1,
        line: {color: "#888", width: 1, dash: "dot"}}];
}

async function setTime(time) {
    state.time = time;
    for (const graph of state.panels)
        if (graph.isSeen) await Plotly.relayout(graph, {shapes: cursor()});
}

function tracesOf(panel, buffer) {
    if (panel.heat) {
        const [x] = arrays(buffer, panel.heat.x), [y] = arrays(buffer, panel.heat.y);
        return [{type: "heatmap", x, y, z: arrays(buffer, panel.heat.z).map(row => Array.from(row)),
            colorscale: "Viridis", colorbar: {title: {text: panel.unit, side: "right"},
                thickness: 12, outlinewidth: 0}}];
    }
    const columns = new Set(panel.curves.filter(curve => curve.run !== null)
        .map(curve => curve.name)).size;
    return panel.curves.map((curve, k) => {
        const [x] = arrays(buffer, curve.x), [y] = arrays(buffer, curve.y);
        const name = !several || curve.run === null ? curve.name : columns > 1
            ? report.labels[curve.run] + ", " + curve.name : report.labels[curve.run];
        return {type: "scatter", mode: "lines", x, y, name, hovertemplate: "%{y:.5g}",
            line: {width: 1.6, color: curve.run === null ? "#888"
                : COLOURS[(several ? curve.run : k) % COLOURS.length],
                dash: curve.dash || "solid"}};
    });
}

async function drawPanel(panel, graph) {
    const buffer = await block(report.curvesBlock, true);
    const axis = {zeroline: false, gridcolor: "#eef1f4", linecolor: "#999", ticks: "outside"};
    const layout = {margin: {l: 62, r: 10, t: 8, b: 40}, plot_bgcolor: "#fff", shapes: cursor(),
        hovermode: panel.heat ? "closest" : "x unified", showlegend: panel.curves.length > 1,
        legend: {orientation: "h", y: -0.22, font: {size: 11}},
        xaxis: {...axis, title: {text: "time (" + report.runs[0].units.time + ")", standoff: 4}},
        yaxis: {...axis, exponentformat: "power", type: panel.log ? "log" : "linear",
            title: {text: panel.heat ? panel.label : panel.unit === "1" ? "" : panel.unit}}};
    await Plotly.newPlot(graph, tracesOf(panel, buffer), layout,
        {responsive: true, displaylogo: false, modeBarButtons: [["toImage", "zoom2d", "pan2d",
            "zoomIn2d", "zoomOut2d", "autoScale2d"]]});
}

function listPanels() {
    const seen = new IntersectionObserver(entries => entries.forEach(async entry => {
        const graph = entry.target;
        graph.isSeen = entry.isIntersecting && graph.isDrawn;
        if (!entry.isIntersecting || graph.isBegun) return;
        graph.isBegun = true;
        await drawPanel(graph.panel, graph);
        graph.isDrawn = graph.isSeen = true;
    }), {rootMargin: "300px"});
    for (const panel of report.panels) {
        const place = document.getElementById("section-" + panel.section);
        const box = element("div", "", "panel"), graph = element("div", "", "graph");
        const words = several && panel.heat ? ", " + report.labels[panel.heat.run] : "";
        add(place, add(box, element("h3", panel.title + words), graph));
        graph.panel = panel;
        state.panels.push(graph);
        seen.observe(graph);
    }
}

// Labels in space are read back from a canvas often, of which the browser would warn.
function expectReading() {
    const get = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, options) {
        return get.call(this, kind, kind === "2d" ? {willReadFrequently: true, ...options}
            : options);
    };
}

async function begin() {
    expectReading();
    const script = document.createElement("script");
    script.textContent = new TextDecoder().decode(await inflate(
        document.getElementById("library").textContent));
    document.head.append(script);
    await openViewers();
    listPanels();
    document.body.dataset.ready = "1";
}

begin().catch(error => {
    const place = document.getElementById("trouble");
    place.textContent = "The interactive parts cannot be drawn: " + error.message + ". They need a"
        + " browser of 2023 or later, and WebGL in 3-D.";
    console.error(error);
});
