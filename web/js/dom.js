// Elements made by hand: h("p", { class: "x" }, "text", child, ...). Whole texts are said in the reader's language.

import { SPOKEN, t } from "./i18n.js";

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = t(value);
    else element.setAttribute(name, value === true ? "" : SPOKEN.includes(name) ? t(value) : value);
  }
  element.append(
    ...children
      .flat(Infinity)
      .filter((child) => child !== null && child !== undefined && child !== false)
      .map((child) => (typeof child === "string" ? t(child) : child)),
  );
  return element;
}

export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
export const $ = (id) => document.getElementById(id);

// 1234567 -> 1,234,567; counts beyond 2^53 arrive as strings of digits.
export const grouped = (count) => String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

// 1234567 -> 1.2M
export function short(number) {
  for (const [unit, size] of [
    ["G", 1e9],
    ["M", 1e6],
    ["k", 1e3],
  ]) {
    if (number >= size) return (number / size).toFixed(number < 10 * size ? 1 : 0) + unit;
  }
  return String(Math.round(number));
}

export const plural = (count, one, many = one + "s") => `${grouped(count)} ${t(Number(count) === 1 ? one : many)}`;

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
