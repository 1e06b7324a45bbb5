"""Draw the time series of a dashboard as SVG."""

COLOURS = ("#3366cc", "#dc3912", "#ff9900", "#109618", "#990099", "#0099c6")
WIDTH, HEIGHT = 430, 200                # of a panel


def name_of(metric):
    return " ".join(filter(None, (metric.get("instance"), metric.get("format"))))


def panel(x, y, title, series):
    """One panel; series without any value but 0 share the first line."""
    parts = ['<g transform="translate(%d %d)">' % (x, y),
             '<rect width="%d" height="%d" fill="#fff" stroke="#ccc"/>' % (WIDTH - 10, HEIGHT - 10),
             '<text x="10" y="18" font-weight="bold">%s</text>' % title]
    values = [float(v) for _, points in series for _, v in points]
    top = max(values + [1])
    times = [t for _, points in series for t, _ in points]
    first, last = min(times), max(times)
    for i in range(3):
        at = 130 - 50 * i
        parts.append('<line x1="50" x2="410" y1="%d" y2="%d" stroke="#eee"/>'
                     '<text x="45" y="%d" text-anchor="end">%.3g</text>'
                     % (at, at, at + 4, top * i / 2))
    shown = [(m, p) for m, p in series if any(float(v) > 0 for _, v in p)] or series[:1]
    for i, (metric, points) in enumerate(shown[:4]):
        line = " ".join("%.1f,%.1f" % (50 + 360 * (t - first) / max(last - first, 1),
                                       130 - 100 * float(v) / top) for t, v in points)
        colour = COLOURS[i % len(COLOURS)]
        parts.append('<polyline fill="none" stroke-width="1.5" stroke="%s" points="%s"/>'
                     '<text x="%d" y="%d" fill="%s">%s</text>'
                     % (colour, line, 50 + 180 * (i % 2), 155 + 16 * (i // 2), colour,
                        name_of(metric)))
    return "\n".join(parts + ["</g>"])


def draw(path, panels):
    rows = (len(panels) + 1) // 2
    with open(path, "w") as file:
        file.write('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d"'
                   ' font-family="sans-serif" font-size="11">\n'
                   '<rect width="100%%" height="100%%" fill="#f4f5f5"/>\n'
                   % (2 * WIDTH + 10, rows * HEIGHT + 10))
        for i, (title, series) in enumerate(panels):
            file.write(panel(10 + WIDTH * (i % 2), 10 + HEIGHT * (i // 2), title, series) + "\n")
        file.write("</svg>\n")
