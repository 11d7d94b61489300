// The file its index picks for a host page: the index itself drags in the frame's build as well.
import zoid from "zoid/dist/zoid.js";
export const { create } = zoid;
