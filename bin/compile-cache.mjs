import { inRoot } from "./root.mjs";

/** Where Node keeps our compiled modules: reading them is a sixth of a command, and half of a server's start. The environment's own folder wins. */
export const compileCache = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? inRoot(".cache/compiled") };
