import fc from "fast-check";

// Uses the same random cases for every fault, so that scores are reproducible. Shrinking is off: any counterexample detects the fault.
fc.configureGlobal({ seed: 20_261_120, endOnFailure: true });
