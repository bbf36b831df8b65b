// Hands on the board: mouse, finger and keyboard.

// Pixels that a finger may tremble.
const TREMBLE = 5;

const cellOf = (target) => target?.closest?.("[data-cell]")?.dataset.cell;

export function hands(board) {
  const { host } = board;
  // The cell that the finger that is down has touched already: the click that follows means nothing more.
  let pressed = null;

  host.addEventListener("mousedown", (event) => event.preventDefault());
  host.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    // The arrows step through the game again: the keyboard does not belong to a cell that was clicked.
    document.activeElement?.blur?.();
    pressed = null;
    const cell = cellOf(event.target);
    if (!cell) return;
    const grabs = board.mayDrag(cell);
    if (grabs && !board.cells.get(cell).element.classList.contains("touched")) {
      pressed = cell;
      board.onTouch(cell);
    }
    if (grabs || board.top(cell)) drag(board, event, cell, grabs);
  });
  // A finger that drags a piece does not scroll the page.
  host.addEventListener("touchmove", (event) => board.dragging && event.preventDefault(), { passive: false });
  // What opens a dialog waits for the click, or the click would fall into the dialog.
  host.addEventListener("click", (event) => {
    const cell = cellOf(event.target);
    if (cell && cell !== pressed) board.onTouch(cell);
    pressed = null;
  });
  host.addEventListener("keydown", (event) => key(board, event));
  host.addEventListener("focusin", (event) => ring(board, event.target));
  host.addEventListener("focusout", () => board.layers?.ring.replaceChildren());
}

function drag(board, event, cell, grabs) {
  const slot = board.slot(cell);
  const scale = board.box.width / board.svg.getBoundingClientRect().width;
  const start = [event.clientX, event.clientY];
  let moved = false;
  board.dragging = grabs;
  const move = (now) => {
    const [dx, dy] = [now.clientX - start[0], now.clientY - start[1]];
    moved ||= Math.hypot(dx, dy) > TREMBLE;
    if (!moved || !slot?.isConnected) return;
    slot.parentNode.append(slot);
    slot.classList.add("lifted");
    slot.setAttribute("transform", `translate(${dx * scale} ${dy * scale})`);
  };
  const end = (now) => {
    for (const [kind, what] of heard) removeEventListener(kind, what);
    board.dragging = false;
    slot?.removeAttribute("transform");
    slot?.classList.remove("lifted");
    const to = cellOf(document.elementFromPoint(now.clientX, now.clientY));
    if (now.type !== "pointerup" || !moved || !to || to === cell) return;
    board.dropping = true;
    if (grabs) board.onTouch(to);
    else board.onStray(cell, to);
    board.dropping = false;
  };
  const heard = [
    ["pointermove", move],
    ["pointerup", end],
    ["pointercancel", end],
  ];
  for (const [kind, what] of heard) addEventListener(kind, what);
}

// The ring around the cell that has the keyboard, above all neighbours.
function ring(board, element) {
  const shape = element.matches?.("[data-cell]:focus-visible") && element.querySelector(".shape");
  if (!shape) return board.layers?.ring.replaceChildren();
  const copy = shape.cloneNode();
  copy.setAttribute("class", "focus");
  copy.removeAttribute("fill");
  board.layers.ring.replaceChildren(copy);
}

function focus(board, id) {
  for (const cell of board.cells.values()) cell.element.setAttribute("tabindex", cell.id === id ? "0" : "-1");
  board.cells.get(id)?.element.focus({ preventScroll: true });
}

// The arrows walk to the nearest cell in their direction; enter and space touch.
function key(board, event) {
  const here = board.cells.get(cellOf(event.target));
  if (!here) return;
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (event.key === "Enter" || event.key === " ") board.onTouch(here.id);
  else if (way) focus(board, nearest(board, here, way)?.id ?? here.id);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function nearest(board, here, [dx, dy]) {
  const cost = (cell) => {
    const [x, y] = [cell.x - here.x, cell.y - here.y];
    const ahead = x * dx + y * dy;
    return ahead > 1 ? ahead + 3 * Math.abs(x * dy) + 3 * Math.abs(y * dx) : Infinity;
  };
  const ranked = [...board.cells.values()].map((cell) => [cost(cell), cell]).sort((a, b) => a[0] - b[0]);
  return ranked[0]?.[0] < Infinity ? ranked[0][1] : null;
}
