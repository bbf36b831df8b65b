// Sounds, for those who asked for them: made on the spot, so that nothing is loaded.

let context = null;

function knock(pitch, loud) {
  context ??= new AudioContext();
  const [tone, gain] = [context.createOscillator(), context.createGain()];
  const now = context.currentTime;
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch, now);
  tone.frequency.exponentialRampToValueAtTime(pitch / 3, now + 0.09);
  gain.gain.setValueAtTime(loud, now);
  gain.gain.exponentialRampToValueAtTime(0.001, now + 0.12);
  tone.connect(gain).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.13);
}

export function sounds(store, settings) {
  const pieces = (answer) => answer?.board.picture.pieces.length;
  let before = 0;
  store.on("position", ({ forward }) => {
    const now = pieces(store.answer);
    if (settings.sounds && forward) {
      // Something has left the board, or the game is over.
      knock(now < before ? 190 : 320, 0.25);
      if (store.answer.outcome) setTimeout(() => knock(520, 0.2), 130);
    }
    before = now;
  });
}
