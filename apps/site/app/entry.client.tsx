import { startBehaviours } from "./behaviours/start-behaviours.ts";
import { wakeIslands } from "./islands/wake-islands.ts";

void startBehaviours();
wakeIslands();

// Pages are the server's documents: in development, a change of one loads it again.
import.meta.hot?.on("react-router:hmr", () => location.reload());
