// The viewer of a run: water and solids at a time, in 3-D turned with the mouse, in 2-D zoomed.
"use strict";

class Viewer {
    constructor(entry, div) {
        this.entry = entry;
        this.div = div;
        this.field = 0;
        this.number = -1;
        this.isClear = false; // one sees through the water
        this.drawn = "";
        this.times = entry.pictures.map(picture => picture.time);
        this.is3d = entry.dimension === 3;
    }

    async open() {
        const buffer = await block(this.entry.solidsBlock, true);
        this.solids = this.entry.solids.map(solid => this.unpackSolid(solid, buffer));
        await this.show(0);
        this.plan = this.layout(); // the library writes into it how the user turns and zooms
        await Plotly.newPlot(this.div, this.traces(), this.plan, this.config());
        if (this.is3d) return;
        this.div.on("plotly_relayout", () => this.fitDots());
        await this.fitDots();
    }

    config() {
        const buttons = this.is3d ? ["zoom3d", "pan3d", "tableRotation", "orbitRotation",
            "resetCameraDefault3d"] : ["zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"];
        return {responsive: true, displaylogo: false, scrollZoom: true,
            modeBarButtons: [["toImage"], buttons]};
    }

    // Places (m) of columns of whole numbers.
    places(columns) {
        const {low, step} = this.entry.grid;
        return columns.map((column, axis) =>
            Float32Array.from(column, value => low[axis] + step[axis] * value));
    }

    unpackSolid(solid, buffer) {
        const found = {...solid};
        for (const name of ["points", "dots"])
            if (solid[name]) found[name] = this.places(arrays(buffer, solid[name]));
        if (solid.corners) found.corners = arrays(buffer, solid.corners);
        if (solid.loops)
            found.loops = solid.loops.map(loop => this.places(arrays(buffer, loop)));
        return found;
    }

    // Columns of points where a solid is at the present picture.
    moved(solid, columns) {
        const move = solid.moves && solid.moves[this.number];
        if (!move) return columns;
        const [x, y, z] = columns;
        return [0, 1, 2].map(axis => {
            const [a, b, c] = move.slice(3 * axis, 3 * axis + 3), shift = move[9 + axis];
            return x.map((value, i) => a * value + b * y[i] + c * z[i] + shift);
        });
    }

    // Unpacks the picture of that number.
    async show(number) {
        const picture = this.entry.pictures[number];
        const buffer = await block(picture.block, false);
        this.number = number;
        this.water = this.places(arrays(buffer, picture.points));
        this.corners = picture.corners && arrays(buffer, picture.corners);
        this.values = picture.values.map((reference, k) => {
            const {low, high, over} = this.entry.fields[k], range = (high - low) / 255;
            return Float32Array.from(arrays(buffer, reference)[0], v => (low + range * v) / over);
        });
    }

    async draw(number) {
        const look = [number, this.field, this.isClear].join();
        if (look === this.drawn) return;
        if (number !== this.number) await this.show(number);
        this.drawn = look;
        await Plotly.react(this.div, this.traces(), this.plan, this.config());
    }

    nearest(time) {
        let best = 0;
        this.times.forEach((t, i) => {
            if (Math.abs(t - time) < Math.abs(this.times[best] - time)) best = i;
        });
        return best;
    }

    // --- Traces ---

    colours() {
        const {label, shown, over, stops, marks} = this.entry.fields[this.field];
        const bar = {title: {text: label, side: "right"}, thickness: 12, len: 0.85, outlinewidth: 0};
        if (marks.length) Object.assign(bar, {tickvals: marks.map(m => m[0] / over),
            ticktext: marks.map(m => m[1])});
        return {cmin: shown[0] / over, cmax: shown[1] / over, colorscale: stops, colorbar: bar,
            showscale: true};
    }

    traces() {
        const solids = this.solids.flatMap(solid => this.is3d ? this.solid3d(solid)
            : this.solid2d(solid));
        return [this.is3d ? this.water3d() : this.water2d(), ...solids, ...this.moorings()];
    }

    // All moorings as one broken line; in 2-D of the layer of the dots, which lies above others.
    moorings() {
        const lines = this.entry.pictures[this.number].moorings;
        if (!lines) return [];
        const [x, y, z] = [0, 1, 2].map(k => lines.flatMap(line => [line[k], line[3 + k], null]));
        const look = {mode: "lines", name: "moorings", hoverinfo: "name", showlegend: false};
        return [this.is3d ? {type: "scatter3d", x, y, z, ...look, line: {color: "#222", width: 4}}
            : {type: "scattergl", x, y, ...look, line: {color: "#222", width: 2}}];
    }

    water3d() {
        const [x, y, z] = this.water;
        if (!this.corners)
            return {type: "scatter3d", mode: "markers", x, y, z, name: "fluid", hoverinfo: "skip",
                marker: {size: 2, color: this.values[this.field], ...this.colours()}};
        const [i, j, k] = this.corners;
        return {type: "mesh3d", x, y, z, i, j, k, intensity: this.values[this.field],
            ...this.colours(), name: "water", hoverinfo: "skip", flatshading: false,
            opacity: this.isClear ? 0.45 : 1,
            lighting: {ambient: 0.6, diffuse: 0.6, specular: 0.25, roughness: 0.35, fresnel: 0.1},
            lightposition: {x: -2e4, y: -4e4, z: 6e4}};
    }

    water2d() {
        const [x, y] = this.water;
        return {type: "scattergl", mode: "markers", x, y, name: "fluid", showlegend: false,
            hovertemplate: "x %{x:.4g}, y %{y:.4g}<br>%{marker.color:.4g}<extra></extra>",
            marker: {size: this.size || 3, color: this.values[this.field], line: {width: 0},
                ...this.colours()}};
    }

    solid3d(solid) {
        const base = {name: solid.name, hoverinfo: "name", showlegend: false};
        if (solid.dots) {
            const [x, y, z] = this.moved(solid, solid.dots);
            return [{type: "scatter3d", mode: "markers", x, y, z, ...base, opacity: solid.opacity,
                marker: {size: 1.5, color: solid.colour}}];
        }
        const [x, y, z] = this.moved(solid, solid.points), [i, j, k] = solid.corners;
        return [{type: "mesh3d", x, y, z, i, j, k, color: solid.colour, opacity: solid.opacity,
            ...base, flatshading: false,
            lighting: {ambient: 0.55, diffuse: 0.75, specular: 0.1, roughness: 0.6},
            lightposition: {x: -2e4, y: -4e4, z: 6e4}}];
    }

    solid2d(solid) {
        const base = {name: solid.name, hoverinfo: "name", showlegend: false};
        if (solid.dots) {
            const [x, y] = this.moved(solid, solid.dots);
            return [{type: "scattergl", mode: "markers", x, y, ...base,
                marker: {size: this.size || 3, color: solid.colour, line: {width: 0}}}];
        }
        return solid.loops.map(loop => {
            const [x, y] = this.moved(solid, loop);
            return {type: "scatter", mode: "lines", x, y, ...base, fill: "toself",
                fillcolor: solid.colour, line: {color: "#555", width: 1}};
        });
    }

    // --- Layout ---

    layout() {
        const layout = {margin: {l: 8, r: 8, t: 8, b: 8}, showlegend: false,
            paper_bgcolor: "#fff"};
        const axis = k => ({title: {text: "xyz"[k] + " (" + this.entry.unit + ")"},
            range: [this.entry.low[k], this.entry.high[k]]});
        if (!this.is3d) {
            Object.assign(layout, {margin: {l: 55, r: 8, t: 8, b: 45}, dragmode: "pan",
                plot_bgcolor: "#fff", hovermode: "closest",
                xaxis: {...axis(0), constrain: "domain", zeroline: false, gridcolor: "#f0f0f0"},
                yaxis: {...axis(1), scaleanchor: "x", zeroline: false, gridcolor: "#f0f0f0"}});
            return layout;
        }
        const look = {showbackground: false, gridcolor: "#e3e8ec", zeroline: false, nticks: 6,
            showspikes: false};
        layout.scene = {aspectmode: "data", dragmode: "turntable", xaxis: {...axis(0), ...look},
            yaxis: {...axis(1), ...look}, zaxis: {...axis(2), ...look},
            camera: {eye: {x: 0.95, y: -1.7, z: 0.75}, center: {x: 0, y: 0, z: -0.12}, projection: {type: "perspective"}}};
        return layout;
    }

    // Dots are as wide as the spacing at any zoom.
    async fitDots() {
        const axis = this.div._fullLayout.xaxis;
        const size = Math.max(1, 1.35 * this.entry.spacing * axis._length /
            Math.abs(axis.range[1] - axis.range[0]));
        if (this.size && Math.abs(size / this.size - 1) < 0.02) return;
        this.size = size;
        const dots = this.div.data.flatMap((trace, i) => trace.mode === "markers" ? [i] : []);
        await Plotly.restyle(this.div, {"marker.size": size}, dots);
    }
}
