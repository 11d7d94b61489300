import type { Drawing } from "@farthing/core/verification-requests/schema.ts";

/**
 * Draws what a good picture of the proof looks like: all four corners, the parts that count marked, the private
 * ones covered.
 */
export function ProofDrawing({ drawing }: { drawing: Drawing }) {
  return (
    <svg className="proof-drawing" viewBox="0 0 96 72" aria-hidden="true" focusable="false">
      <rect className="proof-drawing-ground" width="96" height="72" rx="6" />
      {drawings[drawing]}
      <path className="proof-drawing-corner" d="M6 16V6h10M80 6h10v10M90 56v10H80M16 66H6V56" />
    </svg>
  );
}

const line = (x: number, y: number, width: number) => (
  <rect className="proof-drawing-line" x={x} y={y} width={width} height="3" rx="1.5" />
);
const marked = (x: number, y: number, width: number) => (
  <rect className="proof-drawing-mark" x={x} y={y} width={width} height="6" rx="2" />
);
const covered = (x: number, y: number, width: number, height = 5) => (
  <rect className="proof-drawing-cover" x={x} y={y} width={width} height={height} />
);

const drawings: Record<Drawing, React.ReactNode> = {
  payslip: (
    <>
      <rect className="proof-drawing-paper" x="14" y="11" width="68" height="50" rx="1" />
      {marked(19, 15, 26)}
      {marked(60, 15, 17)}
      {marked(19, 25, 32)}
      {line(19, 36, 24)}
      {covered(58, 35, 19)}
      {line(19, 43, 20)}
      {covered(58, 42, 19)}
      {line(19, 50, 27)}
      {covered(58, 49, 19)}
    </>
  ),
  card: (
    <>
      <rect className="proof-drawing-paper" x="13" y="14" width="70" height="44" rx="5" />
      <circle className="proof-drawing-line" cx="30" cy="31" r="7" />
      <path className="proof-drawing-line" d="M18 49a12 9 0 0 1 24 0z" />
      {marked(48, 21, 29)}
      {marked(48, 31, 24)}
      {line(48, 42, 16)}
      {covered(48, 48, 29)}
    </>
  ),
  letter: (
    <>
      <rect className="proof-drawing-paper" x="24" y="9" width="48" height="54" rx="1" />
      {marked(29, 13, 20)}
      {covered(29, 22, 16)}
      {marked(54, 22, 13)}
      {marked(29, 31, 28)}
      {line(29, 41, 38)}
      {line(29, 47, 36)}
      {line(29, 53, 22)}
    </>
  ),
  certificate: (
    <>
      <rect className="proof-drawing-paper" x="15" y="11" width="66" height="50" rx="1" />
      <rect className="proof-drawing-frame" x="19" y="15" width="58" height="42" />
      {marked(31, 21, 34)}
      {marked(27, 32, 42)}
      {line(33, 42, 30)}
      <circle className="proof-drawing-seal" cx="66" cy="48" r="6" />
    </>
  ),
  screen: (
    <>
      <rect className="proof-drawing-paper" x="12" y="11" width="72" height="50" rx="3" />
      <path className="proof-drawing-frame" d="M12 20h72" />
      <circle className="proof-drawing-line" cx="17" cy="15.5" r="1.8" />
      <circle className="proof-drawing-line" cx="23" cy="15.5" r="1.8" />
      {marked(18, 25, 30)}
      {marked(60, 25, 19)}
      {covered(18, 37, 26, 18)}
      {line(50, 38, 26)}
      {line(50, 45, 20)}
      {line(50, 52, 24)}
    </>
  ),
};
