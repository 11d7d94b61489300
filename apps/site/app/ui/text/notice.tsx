import type { ReactNode } from "react";

/** A message that has to be read before the rest. With `isUrgent` screen readers announce it at once. */
export function Notice({
  tone,
  title,
  children,
  isUrgent = false,
}: {
  tone: "info" | "good" | "warn" | "bad";
  title?: string;
  children?: ReactNode;
  isUrgent?: boolean;
}) {
  return (
    <div className={`notice is-${tone}`} role={isUrgent ? "alert" : undefined}>
      {title && <p className="notice-title">{title}</p>}
      {children}
    </div>
  );
}
