"use strict";
(() => {
  const one = (id) => document.getElementById(id);

  // A button beside each block of code.
  for (const block of document.querySelectorAll(".code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const text = block.querySelector("code").textContent;
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(block.querySelector("code"));
        button.textContent = "Selected";
      }
    });
    block.before(button);
  }

  const controls = one("controls");
  if (!controls) return;
  const MOST = 100;
  const list = one("tools");
  const results = one("results");
  const query = one("query");
  const filters = { read: one("read"), destructive: one("destructive"), server: one("server") };
  const tools = JSON.parse(one("index").textContent).map((row) => ({
    node: one(row[0]),
    id: row[0],
    words: row.slice(1).map((text) => text.toLowerCase()),
  }));

  // How well one word fits a tool: its name first, its description last; 0 is no fit.
  const fit = (word, [name, title, parameters, description]) => {
    if (name === word) return 100;
    if (name.startsWith(word)) return 60;
    if (name.includes(word)) return 40;
    if (title.includes(word)) return 20;
    if (parameters.includes(word)) return 10;
    return description.includes(word) ? 3 : 0;
  };
  const rank = (words, tool) => {
    let total = 1;
    for (const word of words) {
      const points = fit(word, tool.words);
      if (!points) return 0;
      total += points;
    }
    return total;
  };
  const passes = ({ node }) =>
    (!filters.read.checked || "read" in node.dataset) &&
    (!filters.destructive.checked || "destructive" in node.dataset) &&
    (!filters.server?.value || node.dataset.server === filters.server.value);

  // Copies of the best tools stand in a list of their own: moving all takes too long.
  const show = () => {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = !words.length && !filters.read.checked && !filters.destructive.checked && !filters.server?.value;
    list.hidden = !all;
    results.hidden = all;
    const ranked = all ? [] : tools.filter(passes).map((tool) => ({ tool, points: rank(words, tool) }));
    const fitting = ranked.filter(({ points }) => points).sort((a, b) => b.points - a.points);
    const copies = fitting.slice(0, MOST).map(({ tool }) => {
      const copy = tool.node.cloneNode(true);
      copy.removeAttribute("id");
      return copy;
    });
    results.replaceChildren(...copies);
    const number = all ? tools.length : fitting.length;
    const more = number > MOST && !all ? `, the best ${MOST} are shown` : "";
    one("count").textContent = `${number} of ${tools.length} ${tools.length === 1 ? "tool" : "tools"}${more}`;
  };

  // The address holds the query and the filters, so that a search can be sent.
  const store = () => {
    const state = new URLSearchParams();
    if (query.value) state.set("q", query.value);
    for (const name of ["read", "destructive"]) if (filters[name].checked) state.set(name, "1");
    if (filters.server?.value) state.set("server", filters.server.value);
    const text = state.toString();
    try {
      history.replaceState(null, "", (text ? `?${text}` : location.pathname) + location.hash);
    } catch {
      // Some browsers refuse this for files; the search works without it.
    }
  };
  const restore = () => {
    const state = new URLSearchParams(location.search);
    query.value = state.get("q") ?? "";
    for (const name of ["read", "destructive"]) filters[name].checked = state.has(name);
    if (filters.server) filters.server.value = state.get("server") ?? "";
  };
  const update = () => {
    show();
    store();
  };

  controls.hidden = false;
  restore();
  show();
  // The list has moved below the controls since the browser looked for the anchor.
  if (location.hash && !list.hidden) one(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  controls.addEventListener("submit", (event) => event.preventDefault());
  controls.addEventListener("input", update);
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof Element && event.target.matches("input, select, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      query.focus();
    } else if (event.key === "Escape" && event.target === query) {
      query.value = "";
      update();
    } else if (event.key === "Enter" && event.target === query) {
      (results.hidden ? list : results).querySelector("a")?.click();
    }
  });
  addEventListener("hashchange", () => {
    const node = one(decodeURIComponent(location.hash.slice(1)));
    if (node && list.hidden) {
      controls.reset();
      update();
      node.scrollIntoView();
    }
  });
})();
