export { default } from "@iframe-resizer/parent";
