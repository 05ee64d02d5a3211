// Arrays of the page (packed.py): blocks are unpacked when they are first used.
"use strict";
const blocks = new Map();

function bytesOf(text) {
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    return bytes;
}

async function inflate(text) {
    const stream = new Blob([bytesOf(text)]).stream();
    return new Response(stream.pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

// The bytes of a block. Those of pictures are not kept: they would fill the memory.
async function block(number, isKept) {
    const text = document.getElementById("block" + number).textContent;
    if (!isKept) return inflate(text);
    if (!blocks.has(number)) blocks.set(number, inflate(text));
    return blocks.get(number);
}

// Columns of whole numbers that are written as differences: low bytes of all, then the next ones.
function summed(buffer, at, rows, columns, width) {
    const bytes = new Uint8Array(buffer, at, rows * columns * width), found = [];
    const mask = width === 2 ? 0xffff : 0xffffffff;
    for (let c = 0; c < columns; c++) {
        const column = new Uint32Array(rows);
        let value = 0;
        for (let i = 0, k = c * rows; i < rows; i++, k++) {
            let step = 0;
            for (let b = width - 1; b >= 0; b--) step = step * 256 + bytes[b * rows * columns + k];
            value = ((value + step) & mask) >>> 0;
            column[i] = value;
        }
        found.push(column);
    }
    return found;
}

// The columns of an array by its reference [first byte, rows, columns, kind].
function arrays(buffer, [at, rows, columns, kind]) {
    if (kind === "d2" || kind === "d4") return summed(buffer, at, rows, columns, +kind[1]);
    const Type = kind === "f4" ? Float32Array : Uint8Array, found = [];
    for (let c = 0; c < columns; c++)
        found.push(new Type(buffer, at + c * rows * Type.BYTES_PER_ELEMENT, rows));
    return found;
}
