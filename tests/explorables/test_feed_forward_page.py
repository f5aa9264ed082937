"""The feed-forward that can be dragged, held by hand on a page without a kernel."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from explorables import FeedForwardPicture

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
Show = Callable[..., Page]


def trait(page: Page, name: str) -> Any:
    return page.evaluate("(name) => window.picture.get(name)", name)


def put(page: Page, **traits: Any) -> None:
    """Set traits as a kernel would."""
    page.evaluate("(traits) => { for (const [k, v] of Object.entries(traits)) window.picture.set(k, v); }", traits)
    rest(page)


def rest(page: Page) -> None:
    """Let two frames pass: a change is drawn in the next one."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def drawn(page: Page) -> list[str]:
    """What the two canvases show."""
    rest(page)
    shown: list[str] = page.locator(".ff canvas").evaluate_all("(all) => all.map((canvas) => canvas.toDataURL())")
    return shown


def middle(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: tuple[float, float], by: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + by[0], start[1] + by[1], steps=8)
    page.mouse.up()
    rest(page)


def in_plane(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where a point of the plane is on the screen."""
    box = page.locator(".ff-plane").bounding_box()
    assert box is not None
    return box["x"] + (x + 1) / 2 * box["width"], box["y"] + (1 - y) / 2 * box["height"]


def test_starts_with_a_state_its_numbers_and_one_thing_to_try(show: Show) -> None:
    picture = FeedForwardPicture()
    page = show(picture)
    expect(page.locator(".ff-try")).to_contain_text("Try this:")
    expect(page.locator(".ff tbody tr")).to_have_count(6)
    expect(page.locator(".ff-output")).to_have_text(f"{picture.output():.2f}")
    kept = page.locator(".ff tbody tr td:nth-child(3) span").all_inner_texts()
    assert kept == [f"{value:.2f}" for value in picture.hidden()]


def test_a_line_is_moved_by_its_grip(show: Show) -> None:
    page = show(FeedForwardPicture())
    biases, before = trait(page, "biases"), drawn(page)
    drag(page, middle(page.locator(".ff-grip")), (50, 0))
    moved = trait(page, "biases")
    assert moved[0] == pytest.approx(
        biases[0] - 0.83 * 50 / page.locator(".ff-plane canvas").bounding_box()["width"] * 2, abs=0.01
    )
    assert moved[1:] == biases[1:]
    assert trait(page, "weights") == FeedForwardPicture().weights  # moving does not turn
    assert all(old != new for old, new in zip(before, drawn(page), strict=True))  # the map and the surface


def test_any_line_is_taken_hold_of_where_it_is_touched(show: Show) -> None:
    page = show(FeedForwardPicture())
    weight, bias = trait(page, "weights")[4], trait(page, "biases")[4]
    drag(page, in_plane(page, 0.5, -(bias + 0.5 * weight[0]) / weight[1]), (0, -60))
    assert trait(page, "neuron") == 4
    assert trait(page, "biases")[4] != bias
    expect(page.locator(".ff tbody tr.chosen")).to_contain_text("4")


def test_a_line_is_turned_by_its_knob_around_its_grip(show: Show) -> None:
    page = show(FeedForwardPicture())
    grip, knob = middle(page.locator(".ff-grip")), middle(page.locator(".ff-knob"))
    drag(page, knob, (grip[0] - knob[0], grip[1] - 46 - knob[1]))  # to straight above the grip: on towards the top
    weight = trait(page, "weights")[0]
    assert weight[0] == pytest.approx(0, abs=0.03)
    assert weight[1] == pytest.approx((0.83**2 + 0.55**2) ** 0.5, abs=0.01)  # turning keeps the length
    assert middle(page.locator(".ff-grip")) == pytest.approx(grip, abs=1.5)


def test_everything_is_moved_by_keyboard(show: Show) -> None:
    page = show(FeedForwardPicture())
    point, weights, biases = trait(page, "point"), trait(page, "weights"), trait(page, "biases")
    page.locator(".ff-point").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    assert trait(page, "point") == [round(point[0] + 0.05, 2), round(point[1] - 0.01, 2)]
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    rest(page)
    assert trait(page, "biases")[0] == pytest.approx(biases[0] - 0.05 * 0.83, abs=0.002)
    page.keyboard.press("Tab")
    angle = page.locator(".ff-knob").get_attribute("aria-valuenow")
    page.keyboard.press("ArrowUp")
    rest(page)
    assert int(page.locator(".ff-knob").get_attribute("aria-valuenow") or 0) == int(angle or 0) + 5
    assert trait(page, "weights")[0] != weights[0]
    page.keyboard.press("Tab")
    before = drawn(page)
    page.keyboard.press("ArrowLeft")
    after = drawn(page)
    assert before[1] != after[1]  # the view of the surface was turned
    page.locator(".ff tbody input").first.focus()
    page.keyboard.press("ArrowDown")
    assert trait(page, "neuron") == 1


def test_focus_is_seen_and_keys_are_kept_from_jupyterlab(show: Show) -> None:
    page = show(FeedForwardPicture())
    for kind in ("point", "grip", "knob"):
        page.locator(f".ff-{kind}").focus()
        page.keyboard.press("ArrowLeft")  # a key, so that the browser shows focus as it does for a keyboard
        assert page.locator(f".ff-{kind}").evaluate("(e) => getComputedStyle(e).outlineStyle") == "solid"
    assert page.locator("[role=img] [tabindex]").count() == 0
    knob = page.locator(".ff-knob")  # the mark that JupyterLab looks for on what has the focus
    page.keyboard.press("d")
    assert knob.get_attribute("data-lm-suppress-shortcuts") is not None
    page.keyboard.press("Control+d")
    assert knob.get_attribute("data-lm-suppress-shortcuts") is None


def test_without_relu_it_is_a_plane(show: Show) -> None:
    picture = FeedForwardPicture()
    page = show(picture)
    page.get_by_role("switch", name="ReLU").click()
    assert trait(page, "relu") is False
    expect(page.locator(".ff-story")).to_contain_text("one flat plane")
    picture.relu = False
    expect(page.locator(".ff-output")).to_have_text(f"{picture.output():.2f}")
    assert page.locator(".ff tr.off").count() == 0


def test_neurons_come_and_go_and_come_back_the_same(show: Show) -> None:
    page = show(FeedForwardPicture())
    slider = page.get_by_label("neurons")
    for h in (32, 2, 6, 1):
        slider.fill(str(h))
        assert [len(trait(page, name)) for name in ("weights", "biases", "outputs")] == [h] * 3
        rest(page)
        expect(page.locator(".ff tbody tr")).to_have_count(h)
    slider.fill("6")
    assert trait(page, "weights") == FeedForwardPicture().weights
    assert trait(page, "outputs") == FeedForwardPicture().outputs


def test_narrow_weight_of_the_chosen_neuron(show: Show) -> None:
    page = show(FeedForwardPicture(neuron=2))
    page.get_by_label("narrow weight of neuron 2").fill("-0.5")
    assert trait(page, "outputs") == [0.8, -0.7, -0.5, 0.9, -0.8, -1.1]


def test_shows_what_python_sets(show: Show) -> None:
    page = show(FeedForwardPicture())
    before = drawn(page)
    put(
        page,
        weights=[[1.0, 0.0], [0.0, 2.0]],
        biases=[0.0, 0.5],
        outputs=[1.0, -1.0],
        output_bias=0.25,
        point=[0.5, 0.5],
    )
    expect(page.locator(".ff tbody tr")).to_have_count(2)
    expect(page.locator(".ff-output")).to_have_text("−0.75")
    assert drawn(page) != before
    put(page, neuron=1)
    expect(page.locator(".ff-grip")).to_have_text("1")
    drag(page, middle(page.locator(".ff-grip")), (0, 40))
    page.get_by_role("button", name="Reset").click()  # to what Python set last
    assert trait(page, "biases") == [0.0, 0.5]


def test_reset_brings_the_start_back(show: Show) -> None:
    page = show(FeedForwardPicture())
    start = drawn(page)
    drag(page, middle(page.locator(".ff-grip")), (60, 30))
    page.get_by_label("neurons").fill("9")
    page.get_by_role("button", name="Reset").click()
    page.mouse.move(0, 0)
    assert trait(page, "biases") == FeedForwardPicture().biases
    assert drawn(page) == start


def test_a_click_beside_the_lines_chooses_the_point(show: Show) -> None:
    page = show(FeedForwardPicture())
    page.mouse.click(*in_plane(page, -0.8, 0.75))
    assert trait(page, "point") == pytest.approx([-0.8, 0.75], abs=0.02)


def test_fit_walks_to_the_target_and_stops(show: Show) -> None:
    page = show(FeedForwardPicture())
    page.locator("summary").click()
    page.get_by_role("button", name="Fit").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".ff-loss[role=status]")).to_contain_text("mean squared error")
    steps = trait(page, "biases")
    rest(page)
    assert trait(page, "biases") == steps  # stop stops
    page.get_by_role("button", name="Fit").click()
    expect(page.locator(".ff-loss[role=status]")).to_contain_text("After 1500 steps", timeout=60_000)
    assert float(page.locator(".ff-loss[role=status]").inner_text().rstrip(".").split()[-1]) < 0.003


def test_without_relu_fit_cannot_reach_the_saddle(show: Show) -> None:
    page = show(FeedForwardPicture(relu=False), reduced_motion="reduce")
    page.locator("summary").click()
    page.get_by_role("button", name="Fit").click()
    expect(page.locator(".ff-loss[role=status]")).to_contain_text("After 1500 steps", timeout=60_000)
    target = [value for row in FeedForwardPicture().target for value in row]
    best = sum(value**2 for value in target) / len(target)  # no plane is nearer to a saddle than the level one
    assert float(page.locator(".ff-loss[role=status]").inner_text().rstrip(".").split()[-1]) == pytest.approx(
        best, abs=2e-3
    )


def test_the_target_is_painted_by_pointer_and_by_keyboard(show: Show) -> None:
    page = show(FeedForwardPicture())
    page.locator("summary").click()
    page.get_by_role("button", name="Clear target").click()
    assert {value for row in trait(page, "target") for value in row} == {0}
    biases = trait(page, "biases")
    page.get_by_label("paints high").check()
    drag(page, in_plane(page, 0.5, 0.5), (20, 0))
    painted = trait(page, "target")
    assert painted[10][11] > 0.5 > painted[3][3]  # the first row is the bottom one
    assert trait(page, "biases") == biases  # a brush moves no line
    page.get_by_label("paints low").check()
    put(page, point=[-0.5, -0.5])
    page.locator(".ff-point").focus()
    page.keyboard.press("Space")
    assert trait(page, "target")[3][3] < -0.2


def test_a_screen_reader_hears_the_end_and_not_each_step(show: Show) -> None:
    page = show(FeedForwardPicture())
    page.evaluate("""() => {
        window.heard = [];
        const region = document.querySelector(".ff .unseen");
        const hear = () => region.textContent && window.heard.push(region.textContent);
        new MutationObserver(hear).observe(region, { childList: true });
    }""")
    page.locator(".ff-point").focus()
    for _ in range(6):
        page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(1200)
    heard = page.evaluate("window.heard")
    assert len(heard) == 1
    assert "At x = (0.15, 0.60)" in heard[0]
    assert heard[0] == page.locator(".ff-story").inner_text()


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_fits_its_page_in_either_theme(show: Show, screens: Path, scheme: str, width: int) -> None:
    page = show(FeedForwardPicture(), width=width, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".ff").get_attribute("data-theme") == scheme
    for target in page.locator(".ff button:visible, .ff .ff-handle, .ff summary, .ff tbody label").all():
        box = target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24  # each can be hit with a finger
    page.screenshot(path=screens / f"feed-forward-{scheme}-{width}.png", full_page=True)
    page.get_by_label("neurons").fill("32")
    page.locator("summary").click()
    rest(page)
    page.screenshot(path=screens / f"feed-forward-{scheme}-{width}-32.png", full_page=True)


def test_follows_a_change_of_theme(show: Show) -> None:
    page = show(FeedForwardPicture(), color_scheme="light")
    before = drawn(page)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    expect(page.locator(".ff")).to_have_attribute("data-theme", "dark")
    assert drawn(page) != before


def test_a_finger_moves_a_line_and_beside_it_scrolls(show: Show) -> None:
    page = show(FeedForwardPicture(), width=360, height=500, has_touch=True)
    fingers = page.context.new_cdp_session(page)

    def swipe(start: tuple[float, float], by: tuple[float, float]) -> None:
        fingers.send(
            "Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": start[0], "y": start[1]}]}
        )
        for step in range(1, 9):
            at = {"x": start[0] + by[0] * step / 8, "y": start[1] + by[1] * step / 8}
            fingers.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [at]})
        fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        page.wait_for_timeout(300)

    biases = trait(page, "biases")
    weight = trait(page, "weights")[4]
    swipe(in_plane(page, 0.5, -(biases[4] + 0.5 * weight[0]) / weight[1]), (0, -60))
    assert trait(page, "biases")[4] != biases[4]
    assert page.evaluate("scrollY") == 0
    page.get_by_role("button", name="Reset").click()
    swipe(in_plane(page, -0.8, 0.75), (0, -120))
    assert page.evaluate("scrollY") > 50
    assert trait(page, "biases") == biases
    assert trait(page, "point") == FeedForwardPicture().point


def test_what_is_removed_listens_no_more(show: Show) -> None:
    page = show(FeedForwardPicture())
    page.evaluate("document.querySelector('.ff').remove()")
    put(page, point=[0.0, 0.0])
    assert page.locator(".ff").count() == 0


def test_drawn_though_it_was_made_before_it_was_put_on_the_page(show: Show) -> None:
    """JupyterLab renders a picture into an element that is not on the page yet: it has no colours then."""
    page = show(FeedForwardPicture())
    page.evaluate(
        """async () => {
            const address = URL.createObjectURL(new Blob([picture.get("_esm")], { type: "text/javascript" }));
            const { default: made } = await import(address), element = document.createElement("div");
            await made.render({ model: picture, el: element });
            await new Promise((done) => setTimeout(done, 200));
            document.querySelector(".ff").replaceWith(element);
        }"""
    )
    rest(page)
    page.wait_for_timeout(600)
    expect(page.locator(".ff")).to_contain_text("2 of 6 neurons are on")
