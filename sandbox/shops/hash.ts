/** Returns a 32-bit hash of a text (FNV-1a with a final mix), so that the same text makes the same shop on every machine. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value ^= value >>> 15;
  value = Math.imul(value, 0x2c1b3c6d);
  value ^= value >>> 12;
  return value >>> 0;
}

/** Returns one of the choices, selected by the text. */
export function pick<T>(choices: readonly [T, ...T[]], text: string): T {
  return choices[hash(text) % choices.length] ?? choices[0];
}
