import { n as findEnvironment, t as defineEnvironments } from "./shared-environments.js";

export { defineEnvironments, findEnvironment };