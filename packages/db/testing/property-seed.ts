import fc from "fast-check";

// Property tests draw the same cases in every run, so that a run is red only for what changed. FUZZ_SEED=random draws others, and a failure prints the
// seed that repeats it.
const seed = process.env["FUZZ_SEED"];
if (seed !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed ?? 1) });
