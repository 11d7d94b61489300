/** What stands in the way of a first run, all at once, as sentences for the person who can change it. Nothing was written. */
export class SetupError extends Error {
  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? "1 thing needs" : `${problems.length} things need`;
    super(
      `Nothing was changed: ${count} attention.\n${problems.map((problem) => `  - ${problem}`).join("\n")}\n"farthing setup --help" explains every option.`,
    );
    this.name = "SetupError";
  }
}
