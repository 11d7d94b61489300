/** Installs and builds the peers of the benchmarks, without measuring: npm run bench -- --peers. */
import { builtNextPeer, installedPeer } from "./install-peer.ts";
import { peerSizes } from "./widget/entry-sizes.ts";

installedPeer("lighthouse");
installedPeer("vendure");
console.log(`${(await peerSizes()).length} peers of the widget can be bundled.`);
builtNextPeer();
