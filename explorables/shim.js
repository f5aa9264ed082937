// A widget's model where no kernel is: the embedded state, and who wants to hear of a change.
export function modelOf(state) {
  const heard = new Map(), values = { ...state };
  return {
    get: (name) => values[name],
    set(name, value) {
      if (JSON.stringify(values[name]) === JSON.stringify(value)) return;
      values[name] = value;
      for (const tell of [...(heard.get(`change:${name}`) ?? [])]) tell();
    },
    save_changes() {},
    on(event, tell) { heard.set(event, [...(heard.get(event) ?? []), tell]); },
    off(event, tell) { heard.set(event, (heard.get(event) ?? []).filter((one) => one !== tell)); },
    send() {},
  };
}

// Bring a picture to life in `element`; gives back its model.
export async function revive(element, state) {
  const address = URL.createObjectURL(new Blob([state._esm], { type: "text/javascript" }));
  const { default: picture } = await import(address);
  URL.revokeObjectURL(address);
  const style = document.createElement("style");
  style.textContent = state._css;
  element.append(style);
  const model = modelOf(state);
  await picture.render({ model, el: element });
  return model;
}
