// A desk: one worker that is asked one question at a time. A question that is given up ends its worker, and
// a fresh one takes the next; so does one that failed. A page asks several desks, so that short questions
// do not wait for long ones.

// Nothing grows beyond this: .cargo/config.toml gives the program the same limit.
const MOST_BYTES = 1 << 30;

const encoder = new TextEncoder();
const problem = (status, title, detail) => ({
  status,
  media: "application/problem+json",
  body: encoder.encode(JSON.stringify({ type: "about:blank", title, status, detail, reasons: [] })),
});

const outOfMemory = () => {
  const most = MOST_BYTES >> 20;
  return problem(507, "Insufficient Storage", `There was not enough memory: at most ${most} MB can be used here.`);
};

export class Desk {
  // `start` makes a worker and returns { post, end, hear }; `folder` names the files it works with.
  // A hurried desk ends the work of a question that is given up, others let it come to its end.
  constructor(start, { folder, hurried = false } = {}) {
    Object.assign(this, { start, folder, hurried, waiting: [], now: null, worker: null, last: 0 });
  }

  // The answer { status, media, body }. `on` hears { progress } and { event, data }.
  ask(question, { signal, on } = {}) {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((done, fail) => {
      const asked = { question: { ...question, id: ++this.last }, done, fail, on };
      signal?.addEventListener("abort", () => this.giveUp(asked, signal.reason), { once: true });
      this.waiting.push(asked);
      this.next();
    });
  }

  // Whether nothing is asked at the moment.
  get idle() {
    return !this.now && !this.waiting.length;
  }

  // Ends the worker and everything that was asked.
  end() {
    this.worker?.end();
    this.worker = this.now = null;
    this.waiting = [];
  }

  next() {
    if (this.now || !this.waiting.length) return;
    this.now = this.waiting.shift();
    this.worker ??= this.open();
    this.worker.post(this.now.question);
  }

  open() {
    const worker = this.start(this.folder);
    worker.hear(
      (message) => worker === this.worker && this.heard(message),
      (error) => worker === this.worker && this.heard({ failed: String(error), id: this.now?.question.id }),
    );
    return worker;
  }

  heard({ id, status, media, body, over, failed, noMemory, refused, ...news }) {
    const { now } = this;
    if (!now || id !== now.question.id) return;
    if (failed !== undefined) {
      const detail = `The answer broke off: ${failed}`;
      this.renew();
      const answer = noMemory ? outOfMemory() : problem(500, "Internal Server Error", detail);
      now.on?.({ event: "failed", data: new TextDecoder().decode(answer.body) });
      now.done(answer);
    } else if (refused) {
      this.now = null;
      now.done(problem(503, "Service Unavailable", refused));
    } else if (over) {
      this.now = null;
      now.on?.({ over: true });
    } else if (status) {
      now.done({ status, media, body });
    } else {
      now.on?.(news);
    }
    this.next();
  }

  giveUp(asked, reason) {
    asked.fail(reason);
    asked.on = null;
    this.waiting = this.waiting.filter((other) => other !== asked);
    if (asked === this.now && this.hurried) {
      this.renew();
      this.next();
    }
  }

  renew() {
    this.worker?.end();
    this.worker = this.now = null;
  }
}
