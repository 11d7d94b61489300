import { startScript } from "./script/start-script.ts";

startScript();

// Pages are the server's documents: in development, a change of one loads it again.
import.meta.hot?.on("react-router:hmr", () => location.reload());
