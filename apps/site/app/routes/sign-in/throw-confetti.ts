const PIECES = 140;
const LIFE_MS = 2_600;

/**
 * Throws paper in the theme's colours from both lower corners over the page. It takes no clicks and is gone after
 * three seconds.
 */
export function throwConfetti(): void {
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d");
  if (!pen) return;
  canvas.className = "confetti";
  canvas.setAttribute("aria-hidden", "true");
  const scale = Math.min(window.devicePixelRatio, 2);
  const [width, height] = [window.innerWidth, window.innerHeight];
  canvas.width = width * scale;
  canvas.height = height * scale;
  pen.scale(scale, scale);
  document.body.append(canvas);

  const colours = themeColours();
  const papers = Array.from({ length: PIECES }, (_, index) => {
    const isLeft = index % 2 === 0;
    const angle = ((isLeft ? -75 : -105) + (Math.random() - 0.5) * 40) * (Math.PI / 180);
    const speed = (0.55 + Math.random() * 0.6) * Math.sqrt(height) * 0.06;
    return {
      x: isLeft ? 0 : width,
      y: height * 0.95,
      vx: Math.cos(angle) * speed + (isLeft ? 0.25 : -0.25) * Math.random() * (width / 900),
      vy: Math.sin(angle) * speed,
      size: 5 + Math.random() * 6,
      turn: Math.random() * Math.PI,
      spin: (Math.random() - 0.5) * 0.012,
      colour: colours[index % colours.length] ?? "gold",
    };
  });

  const start = performance.now();
  let last = start;
  const draw = (now: number) => {
    const age = now - start;
    const step = Math.min(now - last, 40);
    last = now;
    pen.clearRect(0, 0, width, height);
    pen.globalAlpha = Math.min(1, (LIFE_MS - age) / 600);
    for (const paper of papers) {
      paper.vy += 0.0014 * step;
      paper.vx *= 0.995;
      paper.x += paper.vx * step;
      paper.y += paper.vy * step;
      paper.turn += paper.spin * step;
      pen.save();
      pen.translate(paper.x, paper.y);
      pen.rotate(paper.turn);
      pen.fillStyle = paper.colour;
      pen.fillRect(
        -paper.size / 2,
        -paper.size / 3,
        paper.size,
        (paper.size / 1.5) * Math.abs(Math.cos(paper.turn * 2)) + 1,
      );
      pen.restore();
    }
    if (age < LIFE_MS) requestAnimationFrame(draw);
    else canvas.remove();
  };
  requestAnimationFrame(draw);
}

/** Returns the colours as computed for the current scheme, because a canvas does not know light-dark(). */
function themeColours(): string[] {
  const probe = document.createElement("span");
  probe.hidden = true;
  document.body.append(probe);
  const colours = ["--action", "--accent", "--good", "--hero"].map((name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return colours;
}
