// An animated PNG out of screenshots of one size: every frame keeps its own compressed lines.

import { crc32 } from "node:zlib";

function* chunks(png) {
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    yield { type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

const numbers = (...values) => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => bytes.writeUInt32BE(value, 4 * i));
  return bytes;
};

// `frames` are { png, milliseconds }; they run for ever.
export function animated(frames) {
  const first = [...chunks(frames[0].png)];
  const header = first.find(({ type }) => type === "IHDR").data;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  let turn = 0;
  const parts = frames.flatMap(({ png, milliseconds }, i) => {
    const control = Buffer.concat([numbers(turn++, width, height, 0, 0), Buffer.alloc(6)]);
    control.writeUInt16BE(milliseconds, 20);
    control.writeUInt16BE(1000, 22);
    const lines = [...chunks(png)].filter(({ type }) => type === "IDAT").map(({ data }) => data);
    const drawn = lines.map((data) =>
      i ? chunk("fdAT", Buffer.concat([numbers(turn++), data])) : chunk("IDAT", data),
    );
    return [chunk("fcTL", control), ...drawn];
  });
  const begin = [frames[0].png.subarray(0, 8), chunk("IHDR", header), chunk("acTL", numbers(frames.length, 0))];
  return Buffer.concat([...begin, ...parts, chunk("IEND", Buffer.alloc(0))]);
}
