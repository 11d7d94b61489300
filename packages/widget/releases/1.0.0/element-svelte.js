import { n as defineFarthingWidget, t as FarthingWidgetElement } from "./shared-farthing-widget-element.js";
import { t as defineEnvironments } from "./shared-environments.js";

// src/element-svelte.ts
defineFarthingWidget();

export { FarthingWidgetElement, defineEnvironments };