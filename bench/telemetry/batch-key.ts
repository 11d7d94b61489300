/** The key of the servers under measurement. */
export const BATCH_KEY = "9f8e7d6c5b4a39281706f5e4d3c2b1a07a61c3d8";
