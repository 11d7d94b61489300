/** Which typos the keyboard explains (D2). Pure. */

const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/** Whether two letters are neighbours on a British keyboard, on which each row begins half a key further right. */
function areNeighbours(a: string, b: string): boolean {
  const [at, other] = [placeOf(a), placeOf(b)];
  if (at === null || other === null) return false;
  const [upper, lower] = at.row <= other.row ? [at, other] : [other, at];
  const across = lower.column - upper.column;
  return upper.row === lower.row
    ? Math.abs(across) === 1
    : lower.row - upper.row === 1 && (across === 0 || across === -1);
}

function placeOf(letter: string): { row: number; column: number } | null {
  const row = ROWS.findIndex((keys) => keys.includes(letter));
  return row < 0 ? null : { row, column: ROWS[row]?.indexOf(letter) ?? 0 };
}

/** Returns whether two words differ in two neighbouring letters that changed places, the slip of fast typing. */
export function isSwap(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return at >= 0 && b === a.slice(0, at) + (a[at + 1] ?? "") + a[at]! + a.slice(at + 2);
}

/**
 * Returns whether fingers easily make `typed` of `word`: two letters changed places, a neighbouring key was pressed instead or too, or a letter that
 * stands twice was typed once, or the other way round. False where the words are more than one slip apart.
 */
export function isLikelySlip(typed: string, word: string): boolean {
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at += 1;
  const [here, there] = [typed.slice(at), word.slice(at)];
  if (here.length === there.length)
    return isSwap(here, there) || (here.slice(1) === there.slice(1) && areNeighbours(here.charAt(0), there.charAt(0)));
  const [longer, rest] = here.length > there.length ? [here, there] : [there, here];
  if (longer.slice(1) !== rest) return false;
  const extra = longer.charAt(0);
  const beside = [word.charAt(at - 1), rest.charAt(0)];
  return beside.includes(extra) || (longer === here && beside.some((letter) => areNeighbours(extra, letter)));
}
