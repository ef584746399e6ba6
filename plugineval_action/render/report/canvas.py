"""What all charts share: size, fonts, colours, and how a figure becomes bytes.

The same drawing gives the same bytes on every machine: nobody's matplotlibrc counts, the font that
text is measured by is the one matplotlib ships, and neither date nor version is written. Text stays
text; where that font is missing, Verdana, which is as wide, or any sans-serif stands in.
"""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Theme = Literal["light", "dark"]

WIDTH: Final = 360.0
"""Points; 480 pixels on a page, so that text of 12 points is 9 pixels high on a telephone."""

HEIGHT: Final = 232.0
FONT: Final = 12.0
_TOP: Final = 38.0
_BOTTOM: Final = 24.0


class Palette(NamedTuple):
    """The colours of a theme.

    `bands` run from platinum to no badge, each lighter or darker; then comes withheld.
    """

    paper: str
    ink: str
    soft: str
    grid: str
    line: str
    area: str
    bands: tuple[str, ...]


PALETTES: Final[dict[Theme, Palette]] = {
    "light": Palette(
        paper="#ffffff",
        ink="#1f2328",
        soft="#59636e",
        grid="#d1d9e0",
        line="#0550ae",
        area="#cfe3fb",
        bands=("#0a3069", "#0969da", "#54aeff", "#9fd6ff", "#e3e8ed", "#c4432b"),
    ),
    "dark": Palette(
        paper="#0d1117",
        ink="#f0f6fc",
        soft="#9198a1",
        grid="#3d444d",
        line="#79c0ff",
        area="#16375f",
        bands=("#ddf4ff", "#79c0ff", "#388bfd", "#1158c7", "#2f363e", "#e5704f"),
    ),
}
HATCHES: Final = ("", "//", "", "\\\\", "", "//")
"""By band, as a second way to tell neighbours apart."""

_NO_METADATA: Final = dict.fromkeys(("Creator", "Date", "Format", "Type"))


def _settings(palette: Palette) -> dict[str, Any]:
    return {
        "axes.edgecolor": palette.grid,
        "axes.facecolor": palette.paper,
        "axes.spines.left": False,
        "axes.spines.right": False,
        "axes.spines.top": False,
        "figure.facecolor": palette.paper,
        "font.family": "sans-serif",
        "font.sans-serif": ["DejaVu Sans", "Verdana", "Geneva"],
        "font.size": FONT,
        "hatch.color": palette.paper,
        "hatch.linewidth": 0.8,
        "path.simplify": False,
        "savefig.facecolor": palette.paper,
        "svg.fonttype": "none",
        "svg.hashsalt": "plugineval",
        "text.color": palette.ink,
        "text.parse_math": False,  # a name may hold dollars
        "xtick.color": palette.soft,
        "ytick.color": palette.soft,
    }


class Frame(NamedTuple):
    """The height of a chart, and the room left and right of its axes, in points."""

    height: float = HEIGHT
    left: float = 14.0
    right: float = 14.0

    @property
    def axes(self) -> tuple[float, float, float, float]:
        """Left, bottom, width and height of the axes as shares of the whole."""
        return (
            self.left / WIDTH,
            _BOTTOM / self.height,
            1 - (self.left + self.right) / WIDTH,
            1 - (_TOP + _BOTTOM) / self.height,
        )


USUAL: Final = Frame()


def draw(
    theme: Theme, title: str, paint: Callable[[Axes, Palette], None], frame: Frame = USUAL
) -> str:
    """An SVG of what `paint` puts on the axes."""
    palette = PALETTES[theme]
    with _drawing(palette) as figure:
        figure.set_size_inches(WIDTH / 72, frame.height / 72)
        figure.text(8 / WIDTH, 1 - 17 / frame.height, title, fontweight="bold")
        axes = figure.add_axes(frame.axes)
        axes.tick_params(length=0)
        paint(axes, palette)
        return _svg(figure)


@contextmanager
def _drawing(palette: Palette) -> Iterator[Figure]:
    # That the first start on a machine makes a list of its fonts is no news to anybody.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)

    import matplotlib.style
    from matplotlib.figure import Figure

    with matplotlib.style.context(["default", _settings(palette)]), warnings.catch_warnings():
        # Names may be in any script; the reader's fonts show what the measuring font lacks.
        warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
        yield Figure(dpi=72)


def _svg(figure: Figure) -> str:
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    file = io.StringIO()
    # Figure.savefig would draw everything twice, for layouts that nothing here has.
    FigureCanvasSVG(figure).print_svg(file, metadata=_NO_METADATA)  # type: ignore[no-untyped-call]
    # matplotlib ends some lines with spaces, which only git would notice.
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def draw_nothing(theme: Theme, title: str, words: str) -> str:
    """A sentence instead of a chart."""

    def paint(axes: Axes, palette: Palette) -> None:
        axes.set_axis_off()
        axes.text(0.5, 0.6, words, ha="center", color=palette.soft, transform=axes.transAxes)

    return draw(theme, title, paint, Frame(height=HEIGHT / 2))


def label_ends(axes: Axes, labels: Sequence[tuple[float, str]]) -> None:
    """Labels right of the axes, ascending, as near to their places as their height allows."""
    low, high = axes.get_ylim()
    line = (high - low) * (FONT + 3) / (HEIGHT - _TOP - _BOTTOM)
    places = spread([at for at, _ in labels], line, low, high)
    for place, (_, words) in zip(places, labels, strict=True):
        axes.text(1.03, place, words, va="center", transform=axes.get_yaxis_transform())


def note(axes: Axes, palette: Palette, words: str, at: float, align: str = "left") -> None:
    """A small note above the axes' upper edge, at a value of the other axis."""
    axes.annotate(
        words,
        (at, 1),
        (3 if align == "left" else -3, 2),
        xycoords=axes.get_xaxis_transform(),
        textcoords="offset points",
        ha=align,
        fontsize=FONT - 2,
        color=palette.soft,
    )


def spread(wanted: Sequence[float], least: float, low: float, high: float) -> list[float]:
    """Places for labels, ascending as `wanted` is, near to it and at least `least` apart.

    They stay within `low` and `high` if there is room.
    """
    upwards = accumulate(wanted, lambda below, at: max(at, below + least), initial=low - least)
    downwards = accumulate(
        reversed(list(upwards)[1:]), lambda above, at: min(at, above - least), initial=high + least
    )
    return list(downwards)[:0:-1]
