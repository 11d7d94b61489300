/**
 * Faults that no test can notice, or should: each changes nothing that anybody could see. `npm run mutate` asks for a line here, or for a test.
 *
 * @type {{ file: string, source: string, faults: [was: string, replacement: string][], why: string }[]}
 */
export const survivors = [];
