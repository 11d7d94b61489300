/** What is wrong with a line of a list of codes: what to do, in words. */
export interface CodeLine {
  line: number;
  code: string;
  message: string;
}

export interface ReadCodes {
  codes: { line: number; code: string }[];
  /** Nothing is added before these are corrected. The first hundred. */
  problems: CodeLine[];
  problemCount: number;
  /** Lines that say again what an earlier one says: they are left out. */
  repeated: CodeLine[];
}

const MAX_CODES = 100_000;
const MAX_CODE_LENGTH = 60;
const MAX_NAMED = 100;

/**
 * Reads codes for a pool (O4), one a line: pasted, a text file, or a CSV file with one column. A heading "code", empty lines and quotes
 * around a code are left out.
 */
export function readCodes(text: string): ReadCodes {
  const read: ReadCodes = { codes: [], problems: [], problemCount: 0, repeated: [] };
  const seen = new Map<string, number>();
  const wrong = (line: number, code: string, message: string) => {
    read.problemCount += 1;
    if (read.problems.length < MAX_NAMED) read.problems.push({ line, code: code.slice(0, 80), message });
  };
  for (const [index, raw] of text
    .replace(/^\uFEFF/, "")
    .split(/\r\n|\r|\n/)
    .entries()) {
    const line = index + 1;
    const code = unquoted(raw.trim().replace(/[,;]+$/, ""));
    if (code === "" || (read.codes.length === 0 && /^codes?$/i.test(code))) continue;
    const earlier = seen.get(code);
    const fault = faultOf(code);
    if (fault) wrong(line, code, fault);
    else if (earlier !== undefined)
      read.repeated.push({ line, code, message: `is on line ${earlier} already; it is added once` });
    else if (read.codes.length === MAX_CODES)
      wrong(line, code, `is beyond the first ${MAX_CODES} codes; add the rest as a second file`);
    else {
      seen.set(code, line);
      read.codes.push({ line, code });
    }
  }
  if (read.codes.length === 0 && read.problemCount === 0)
    wrong(1, "", "There are no codes here. Put one on each line.");
  return read;
}

function unquoted(text: string): string {
  return (/^"(.*)"$/.exec(text)?.[1]?.replaceAll('""', '"') ?? text).trim();
}

function faultOf(code: string): string | null {
  if (code.length > MAX_CODE_LENGTH)
    return `is ${code.length} characters long; a code has at most ${MAX_CODE_LENGTH}. Is it more than one code?`;
  if (!code.isWellFormed() || /[\p{Cc}\p{Cf}]/u.test(code))
    return "holds a character that can’t be seen; type the code again";
  if (/[,;\t]/.test(code)) return "holds a comma, semicolon or tab; export one column, with one code on each line";
  return null;
}
