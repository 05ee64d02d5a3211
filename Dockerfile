# Sluice with its tools for pictures, movies, surfaces and reports, from the wheel:
#
#   make wheel
#   docker build -t sluice .
#   docker run --rm -v "$PWD:/data" sluice run my.cfg      any command of sluice, files in /data
FROM debian:bookworm-slim
RUN apt-get update && \
    apt-get install -y --no-install-recommends python3-venv && \
    rm -rf /var/lib/apt/lists/*
COPY build/packages/sluice_sph-*.whl /tmp/
RUN python3 -m venv /opt/sluice && \
    /opt/sluice/bin/pip install --no-cache-dir "$(echo /tmp/sluice_sph-*.whl)[look]" && \
    rm /tmp/sluice_sph-*.whl
ENV PATH=/opt/sluice/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
WORKDIR /data
ENTRYPOINT ["sluice"]
CMD ["help"]
