"use strict";
// Shows the records that hold every word that was typed. Without it, the page is a list.
const box = document.getElementById("filter"), count = document.getElementById("count");
const rows = Array.from(document.querySelectorAll("#found > li"), (row) => [row, row.textContent.toLowerCase()]);
function filter() {
  const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const [row, text] of rows) {
    row.hidden = !words.every((word) => text.includes(word));
    shown += row.hidden ? 0 : 1;
  }
  count.textContent = words.length ? shown + " of " + rows.length : "";
}
document.getElementById("tools").hidden = false;
box.addEventListener("input", filter);
filter();
