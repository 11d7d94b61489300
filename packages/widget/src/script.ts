import { defineEnvironments } from "./environments.ts";
import { defineFarthingWidget } from "./farthing-widget-element.ts";
import { mountWidget } from "./mount-widget.ts";
import { defineFromScriptTag, type MountByScript, mountByScript, type ScriptProperties } from "./script-tag.ts";
import { version } from "./version.ts";

export type { FarthingEvent } from "./element-types.ts";
export type { Widget } from "./mount-widget.ts";
export type { ScriptProperties } from "./script-tag.ts";
export type * from "./types.ts";

export type FarthingScript = {
  version: string;
  defineEnvironments: typeof defineEnvironments;
  /** Mounts the widget into an element, or into the first match of a selector. */
  mount: MountByScript<ScriptProperties>;
};
declare global {
  interface Window {
    Farthing?: FarthingScript;
  }
  /** Defined once the script has loaded. */
  var Farthing: FarthingScript;
}

// A second script tag has no effect: the first copy stays in use. An element with id="Farthing" is no copy. On a server there is no document.
if (globalThis.document && !window.Farthing?.mount) {
  window.Farthing = { version, defineEnvironments, mount: mountByScript(mountWidget) };
  defineFromScriptTag();
  defineFarthingWidget();
}
