import type { Frame } from "@playwright/test";

/**
 * Waits until what fades or moves in has arrived: until then its contrast is too low. Animations without an end don't count.
 */
export async function untilStill(frame: Frame): Promise<void> {
  await frame.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ playState, effect }) => playState === "running" && effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));

    // FilePond moves its parts by script, in their style attributes.
    const styles = () =>
      [...document.querySelectorAll(".filepond--root *")].map((part) => part.getAttribute("style")).join("|");
    let before = styles();
    for (let framesAlike = 0; before !== "" && framesAlike < 15;) {
      await new Promise(requestAnimationFrame);
      const now = styles();
      framesAlike = now === before ? framesAlike + 1 : 0;
      before = now;
    }
  });
}
