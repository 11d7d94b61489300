export { default } from "@iframe-resizer/react";
