"use client";
import { t as mountWidget } from "./shared-mount-widget.js";
import { t as defineEnvironments } from "./shared-environments.js";
import { createElement, useEffect, useRef } from "react";

// src/react.ts
/** The names of the box's own attributes, besides style and className. */
const BOX = /^(id$|role$|aria-|data-)/;
/**
* The payment widget as a React component (W1). The server renders an empty box, so the token is never in its HTML. A wrong property throws in
* an effect, so error boundaries catch it.
*/
function FarthingWidget({ style, className, ...properties }) {
	const host = useRef(null);
	const widget = useRef(null);
	useEffect(() => {
		widget.current = mountWidget(host.current, properties);
		return () => widget.current.destroy();
	}, []);
	useEffect(() => widget.current?.update(properties));
	const box = Object.fromEntries(Object.entries(properties).filter(([name]) => BOX.test(name)));
	return createElement("div", {
		...box,
		ref: host,
		style,
		className
	});
}

export { FarthingWidget, defineEnvironments };