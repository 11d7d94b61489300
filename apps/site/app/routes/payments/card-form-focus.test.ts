import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { whenCardFormCloses } from "./card-form-focus.ts";

const page = { visibilityState: "visible", isFocused: true, hasFocus: () => page.isFocused };
let frame = new EventTarget();
let heard: boolean[] = [];
let watching = new AbortController();

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(page, { visibilityState: "visible", isFocused: true });
  frame = new EventTarget();
  heard = [];
  watching = new AbortController();
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", frame);
  whenCardFormCloses((isClosed) => heard.push(isClosed), watching.signal);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function move(type: "blur" | "focus", visibilityState = "visible"): void {
  Object.assign(page, { visibilityState, isFocused: type === "focus" });
  frame.dispatchEvent(new Event(type));
}
const waitUntilLate = () => vi.advanceTimersByTime(20_000);

test("W8 the card form is closed when the frame has the focus again, or when it never lost it", () => {
  move("blur");
  waitUntilLate();
  expect(heard).toEqual([]);
  move("focus");
  expect(heard).toEqual([true]);
});

test("W8 a card form that has not opened in time is closed", () => {
  waitUntilLate();
  expect(heard).toEqual([true]);
});

test("W8 another tab before the card form opens does not close it, and the form's own end does", () => {
  move("blur", "hidden");
  move("focus");
  expect(heard).toEqual([]);
  move("blur");
  move("focus");
  expect(heard).toEqual([true]);
});

test("W8 another application before the card form opens closes it until it opens, and each return of the focus counts", () => {
  move("blur"); // a banking application
  move("focus");
  move("blur"); // the card form
  expect(heard).toEqual([true, false]);
  waitUntilLate();
  expect(heard).toEqual([true, false]);
  move("focus");
  expect(heard).toEqual([true, false, true]);
});

test("W8 a payment that is over is not said to be closed", () => {
  move("blur");
  watching.abort();
  move("focus");
  waitUntilLate();
  expect(heard).toEqual([]);
});
