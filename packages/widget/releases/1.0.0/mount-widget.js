import { t as mountWidget } from "./shared-mount-widget.js";

export { mountWidget };